"""The words of the table: what happens, what the referee says, and where places lie."""
