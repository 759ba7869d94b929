"""Relational storage by SQLAlchemy: threads, the audit log and the catalogue of generations."""
