"""Histories over HTTP: records that leave and come back, and other lines from a position."""
