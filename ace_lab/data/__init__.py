"""From real claim sets to labelled rows: sources, splits, families and manifests."""
