"""Pages for people: the documentation and the replay page; `service/web` holds their files."""
