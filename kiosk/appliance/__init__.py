"""The appliance: systemd units, installing and removing them, the self-test."""
