"""Stand-ins for what is outside, written for tests."""
