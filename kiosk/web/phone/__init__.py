"""A phone as the camera: who films, how its pictures and times are taken, the secure port."""
