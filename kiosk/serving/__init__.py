"""What every server of the project shares: checked messages, bounded connections, a quiet log."""
