"""Properties try the same examples, whichever modules are loaded."""

from hypothesis import given
from hypothesis import strategies as st
from hypothesis.internal.conjecture import providers


@given(st.integers())
def test_no_example_comes_from_the_project_s_source(number):
    assert len(providers._local_constants) == 0
