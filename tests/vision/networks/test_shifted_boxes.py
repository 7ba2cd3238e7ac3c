"""Boxes about a box from which the corners went astray."""

import numpy as np
import pytest

from vision.geometry import aspect, iou, length
from vision.networks.corners import shifted_boxes

BOX = np.float32([[100, 100], [200, 110], [190, 250], [90, 240]])


def test_shifted_boxes_have_the_cards_shape_and_lie_about_the_box():
    boxes = shifted_boxes(BOX, 1.4, 150.0)
    assert boxes.shape == (27, 4, 2)
    assert [aspect(box) for box in boxes] == pytest.approx([1.4] * 27, rel=1e-3)
    assert [length(box) for box in boxes] == pytest.approx([150.0] * 27, rel=1e-3)
    assert iou(boxes[0], BOX) > 0.85
    assert all(iou(box, BOX) > 0.3 for box in boxes)
    assert len({tuple(np.round(box.ravel(), 1)) for box in boxes}) == 27
