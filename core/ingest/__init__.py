"""How a folder of files becomes documents, chunks, entities and a graph."""
