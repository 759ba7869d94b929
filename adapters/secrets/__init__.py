"""Secrets that are sealed before they are stored."""
