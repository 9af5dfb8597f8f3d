"""The benchmark suite: ratios against peers, measured in one interleaved run; `python -m bench` runs it."""
