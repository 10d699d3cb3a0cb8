"""Where RCP is close to processor sharing, and where not (ours; no paper's)."""
