"""Measures the page: latency from call to pixel, cost to play, memory over hours."""
