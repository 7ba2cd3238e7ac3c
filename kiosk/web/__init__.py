"""The page: a server process of its own, joined to the referee's loop by a local socket."""
