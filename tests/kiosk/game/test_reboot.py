"""The machine is restarted only when it is allowed, and only for a driver that hangs."""

from kiosk.game.reboot import COMMAND, EARLIEST_S, RebootWatch


def watch(after_s, now, answer=""):
    ran, said = [], []

    def run(command):
        ran.append(command)
        return answer

    return RebootWatch(after_s, said.append, run, lambda: now[0]), ran, said


def test_a_driver_that_hangs_for_long_restarts_the_machine_once():
    now = [EARLIEST_S]
    made, ran, said = watch(60, now)
    for _ in range(100):
        made.see(is_stuck=True)
        now[0] += 2.0
        assert bool(ran) == (now[0] - 2.0 - EARLIEST_S >= 60)
    assert ran == [COMMAND] and len(said) == 1


def test_it_is_never_restarted_unasked_nor_for_a_camera_that_comes_back():
    now = [EARLIEST_S]
    for after_s, stuck in ((0, lambda k: True), (60, lambda k: k % 20 < 19)):
        made, ran, _ = watch(after_s, now)
        for k in range(200):
            made.see(is_stuck=stuck(k))
            now[0] += 2.0
        assert ran == []


def test_a_machine_that_hangs_right_after_its_start_is_not_restarted_for_ever():
    now = [5.0]
    made, ran, _ = watch(10, now)
    while now[0] < EARLIEST_S:
        made.see(is_stuck=True)
        assert ran == []
        now[0] += 10.0
    made.see(is_stuck=True)
    assert ran == [COMMAND]


def test_a_refusal_is_said():
    now = [EARLIEST_S]
    made, _, said = watch(1, now, answer=None)
    for _ in range(3):
        made.see(is_stuck=True)
        now[0] += 2.0
    assert "switch it off and on" in said[-1]
