"""Spoken calls: what is said in which language, and the synthesiser that says it."""
