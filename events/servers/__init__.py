"""The servers under the store: one or many, our own or not, and how they are spoken with."""
