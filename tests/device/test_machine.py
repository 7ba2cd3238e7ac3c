"""The machine's state from the kernel's files, as a Raspberry Pi and a laptop have them."""

from device.machine import Machine, celsius, disk_free, is_clock_synchronised, read_machine


def write(root, path, text):
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def nothing(command):
    return None


def test_a_pi_tells_temperature_and_supply(tmp_path):
    write(tmp_path, "sys/class/thermal/thermal_zone0/temp", "61234\n")
    write(tmp_path, "sys/class/thermal/thermal_zone0/type", "cpu-thermal\n")
    write(tmp_path, "sys/devices/platform/soc/soc:firmware/get_throttled", "50005\n")
    found = read_machine(tmp_path, tmp_path, nothing)
    assert found.celsius == 61.234
    assert (found.under_voltage, found.under_voltage_before, found.throttled) == (True, True, True)


def test_without_that_file_the_command_is_asked(tmp_path):
    found = read_machine(tmp_path, tmp_path, lambda command: "throttled=0x50000\n")
    assert (found.under_voltage, found.under_voltage_before, found.throttled) == (
        False, True, False,
    )  # fmt: skip


def test_a_mainline_kernel_has_an_alarm_only(tmp_path):
    write(tmp_path, "sys/class/hwmon/hwmon3/name", "rpi_volt\n")
    write(tmp_path, "sys/class/hwmon/hwmon3/in0_lcrit_alarm", "1\n")
    found = read_machine(tmp_path, tmp_path, nothing)
    assert found.under_voltage is True and found.throttled is None


def test_the_processor_counts_where_it_is_named_else_the_hottest_zone(tmp_path):
    write(tmp_path, "sys/class/thermal/thermal_zone0/temp", "40000")
    write(tmp_path, "sys/class/thermal/thermal_zone1/temp", "70000")
    assert celsius(tmp_path) == 70.0
    write(tmp_path, "sys/class/thermal/thermal_zone0/type", "cpu-thermal")
    assert celsius(tmp_path) == 40.0
    write(tmp_path, "sys/class/thermal/thermal_zone0/temp", "damaged")
    assert celsius(tmp_path) == 70.0


def test_a_machine_that_tells_nothing_is_no_error(tmp_path):
    found = read_machine(tmp_path / "not" / "there", tmp_path / "empty", nothing)
    assert found == Machine(disk_free=found.disk_free, clock_synchronised=is_clock_synchronised())
    assert found.disk_free == disk_free(tmp_path) or found.disk_free > 0
