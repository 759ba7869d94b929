"""What admins do from a chat: index, look how things stand, read the log."""
