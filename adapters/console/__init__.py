"""The terminal: a reply and its evidence in text."""
