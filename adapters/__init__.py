"""One folder for each thing outside: it imports core and one vendor, and never another adapter."""
