"""Files that say what is expected → `Suite`."""
