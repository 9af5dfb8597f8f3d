"""Command: who is reached by his headquarters, who recovers, who rests."""
