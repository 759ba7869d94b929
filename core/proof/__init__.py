"""What a claim may say on the strength of its quotes: one idea a file, pure functions over read texts."""
