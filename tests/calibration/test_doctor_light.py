"""Whether a camera's light is locked is said by doctor, and so by the page's health."""

import pytest

from calibration import doctor, store


@pytest.mark.parametrize(
    ("controls", "state", "words"),
    [
        (None, "warn", "exposure, white balance and focus not locked"),
        ((), "warn", "the camera's driver does not let exposure, white balance and focus be"),
        (("auto_exposure", "gain", "white_balance_automatic", "focus_automatic_continuous"),
         "good", "exposure, white balance and focus locked"),
        (("AeEnable", "ExposureTime", "AwbEnable"), "good",
         "exposure and white balance locked; the camera's driver does not let focus be locked"),
        (("focus_auto", "exposure_auto"), "warn",
         "exposure and focus locked; the camera's driver does not let white balance be locked"),
    ],
)  # fmt: skip
def test_doctor_says_of_each_camera_whether_its_light_is_locked(tmp_path, controls, state, words):
    light = None
    if controls is not None:
        light = store.LightLock(tuple((name, 1.0) for name in controls), 120.0, "now")
    for camera, width in (("0", 64), ("0", 128), ("phone", 64), ("rtsp://there/1", 64)):
        kept = light if width == 64 else None  # a game sets that of any size
        store.save(store.Calibration(camera, width, 48).with_part(light=kept), tmp_path)
    found = [each for each in doctor.calibrations(tmp_path) if each.name.startswith("light of")]
    assert [each.name for each in found] == ["light of 0"]
    assert found[0].state == state and found[0].words.startswith(words)
    assert bool(found[0].todo) == (state == "warn")
