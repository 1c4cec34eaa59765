"""What GitHub's runner gives an action and takes from it: commands, files, context."""
