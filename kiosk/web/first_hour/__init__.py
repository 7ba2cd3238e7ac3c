"""The first hour: six guided steps of set-up, in a process of its own that holds the camera."""
