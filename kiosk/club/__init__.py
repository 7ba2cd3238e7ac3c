"""A club of tables: each referees alone; an MQTT broker joins them, a board shows them."""
