"""The program: settings, wiring, command line and the running service."""
