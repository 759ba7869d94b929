"""What admins do from a chat."""
