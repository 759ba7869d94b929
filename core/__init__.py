"""What Footnote knows and decides: plain values and pure functions, with no I/O, platform or vendor."""
