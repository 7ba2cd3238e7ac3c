"""The table check: watches a real table while people do what it asks, and says what fails here."""
