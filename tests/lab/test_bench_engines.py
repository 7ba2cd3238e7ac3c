"""The engines that the bench chooses, and what it writes."""

import pytest

from calibration.engines import engines_in_use
from calibration.finding import Verdict
from calibration.settings import own_settings, write_table
from lab.bench.engines import Result, choose, reason, told
from vision.settings import INT8, NCNN, ONNX

RESULTS = [
    Result("locator", ONNX, (40.0, 25.0), "F 0.880", True),
    Result("locator", INT8, (15.0, 10.0), "F 0.850", False),
    Result("locator", NCNN, (30.0, 18.0), "F 0.880", True),
    Result("namer", ONNX, (3.0, 2.0), "", True),
    Result("namer", NCNN, fault="expected the engine NCNN, found none"),
]


def test_the_fastest_engine_that_keeps_the_accuracy_is_chosen():
    assert choose(RESULTS) == {"locator": NCNN, "namer": ONNX}
    assert "accuracy not kept" in told(RESULTS[1]) and "accuracy not kept" not in told(RESULTS[2])
    assert "not measured: expected the engine NCNN" in told(RESULTS[4])


def test_doctor_tells_the_engines_and_why(monkeypatch, tmp_path):
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path))
    (finding,) = engines_in_use()
    assert finding.state == Verdict.GOOD and "not measured" in finding.words
    write_table(own_settings(), "engines", {"locator": INT8, "reason": reason(RESULTS)})
    (finding,) = engines_in_use()
    assert f"locator {INT8}" in finding.words and "ncnn 18.0 ms" in finding.words
    write_table(own_settings(), "engines", {"locator": NCNN})
    monkeypatch.setattr("calibration.engines.find_spec", lambda name: None)
    (finding,) = engines_in_use()
    assert finding.state == Verdict.BAD and "fairdeal[engines]" in finding.todo
    own_settings().write_text("[engines]\nlocator = 'tpu'\n")
    (finding,) = engines_in_use()
    assert finding.state == Verdict.BAD and "tpu" in finding.words


@pytest.mark.slow
def test_every_engine_is_measured_on_this_machine():
    from lab.bench.engines import measure

    results = list(measure(pictures=8))
    assert [(r.network, r.engine) for r in results][:2] == [("locator", ONNX), ("locator", INT8)]
    assert all(min(r.ms) > 0 for r in results if not r.fault)
    assert set(choose(results)) == {"locator", "namer"}
