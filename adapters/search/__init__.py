"""Semantic (LanceDB) and lexical (BM25) search over one generation, fused."""
