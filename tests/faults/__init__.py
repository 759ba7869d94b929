"""Proof that a question that reached us is answered exactly once and in order, whatever dies."""
