"""Recognises single cards: corners, embedding, nearest templates, verification."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from models.gallery import Gallery
from vision.matching.fine_templates import FineTemplates
from vision.matching.keypoints import Pose
from vision.matching.masked_crop import MaskedCrop
from vision.matching.occlusion import Occluder
from vision.matching.partial_ranking import PartialRanking, lookalikes
from vision.matching.polar_alignment import polar_spectrum, rotation
from vision.matching.templates import Templates
from vision.networks.corners import RefinedCorners, shifted_boxes
from vision.networks.embedder import Embedder
from vision.networks.locator import standing
from vision.nms import SAME_CARD, suppress
from vision.recognition.confidence import Evidence
from vision.recognition.contest import UNDECIDED
from vision.recognition.in_parallel import in_parallel
from vision.recognition.naming_limits import RECOGNISER as LIMITS
from vision.recognition.orientations import SQUARE, is_round, orientations, rotated
from vision.recognition.recognised import Recognised
from vision.recognition.verification import Candidate, Verified, verify, visible_correlation


class Recogniser:
    """Recognises the cards of one taught deck, of its `outline` and `aspect` (height / width)."""

    def __init__(
        self,
        gallery: Gallery,
        outline: str,
        aspect: float,
        embedder: Embedder,
        threads: int = 1,
    ) -> None:
        self._gallery, self._embedder, self._aspect = gallery, embedder, aspect
        self.threads = threads
        self.faces, self._names = gallery.faces, np.array(gallery.faces)  # of the templates
        self.is_rectangular = outline == "card"
        self._templates = Templates(gallery.templates)
        self._fine = FineTemplates(gallery.luminance)
        self._per_face = max(gallery.faces.count(face) for face in gallery.faces)
        self._ranking = PartialRanking(self._templates.sharp)
        self._lookalikes = lookalikes(self._templates.sharp, self._names, LIMITS.alike)
        self._is_round = is_round(outline, aspect)
        self._ways = orientations(outline, aspect)
        self._spectra = (
            [polar_spectrum(template) for template in self._templates.sharp]
            if self._is_round
            else []
        )
        self._is_tall = aspect > SQUARE

    @property
    def templates(self) -> list[np.ndarray]:
        """The deck's normalised templates (HEIGHT, WIDTH, 3)."""
        return self._templates.sharp

    def recognise(
        self, bgr: np.ndarray, quads: np.ndarray, are_guesses: bool = False
    ) -> list[Recognised]:
        """The likeliest face of each card at `quads` (N, 4, 2), with its evidence. Of guesses only
        the likeliest few are verified; the others are left out."""
        if len(quads) == 0:
            return []
        quads = self._standing(quads)
        corners = self._embedder.corners
        if are_guesses:
            found = corners.refine_likeliest(bgr, quads, self._aspect)
        else:
            found = corners.refine(bgr, quads, self._aspect)
        return self._compared(bgr, found, LIMITS.unlike, are_guesses)

    def recognise_weak(
        self, bgr: np.ndarray, boxes: np.ndarray, height: float | None, most: int = LIMITS.weak
    ) -> list[Recognised]:
        """The cards, `height` px tall if that is known, at boxes (N, 4, 2) of a low score: the
        `most` likeliest are compared, if their embedding is near to a taught face."""
        if len(boxes) == 0:
            return []
        corners = self._embedder.corners
        found = corners.refine_likeliest(bgr, self._standing(boxes), self._aspect, most)
        if height is not None:
            sides = np.linalg.norm(found.quads[:, 3] - found.quads[:, 0], axis=1)
            found = found.where(np.abs(np.log(sides / height)) < np.log(LIMITS.weak_size))
        return self._compared(bgr, found, LIMITS.weak_alike)

    def _compared(
        self, bgr: np.ndarray, found: RefinedCorners, unlike: float, are_guesses: bool = False
    ) -> list[Recognised]:
        """The likeliest face of each card; below a cosine of `unlike` by the embedding alone."""
        count = len(found.quads)
        if count == 0:
            return []
        # A box that is nearly square may have held a card that lies across.
        quads = self._standing(found.quads)
        turned, similarity = self._all_ways(bgr, quads)
        # Where white lies on white, the close look may leave a card that the wide look had found.
        doubtful = np.flatnonzero(found.is_right < LIMITS.sure_corners)
        if len(doubtful):
            coarse = self._standing(found.coarse[doubtful])
            others, alike = self._all_ways(bgr, coarse)
            gain = alike.max((0, 2)) - similarity[:, doubtful].max((0, 2))
            better = gain > LIMITS.coarse_gain
            quads[doubtful[better]] = coarse[better]
            turned[:, doubtful[better]] = others[:, better]
            similarity[:, doubtful[better]] = alike[:, better]

        def verified(i: int) -> Recognised:
            chances = float(found.is_card[i]), float(found.is_right[i])
            if similarity[:, i].max() < unlike:
                return self._unlike(similarity[:, i], quads[i], *chances)
            return self._verified(
                bgr, similarity[:, i], turned[:, i], *chances, is_guess=are_guesses
            )

        return in_parallel(verified, range(count), self.threads)

    def recognise_near(self, bgr: np.ndarray, box: np.ndarray, height: float) -> Recognised | None:
        """The card of `height` px that lies near a box (4, 2) from which the corners went astray,
        as they do where white lies on white: of the corners found from shifted boxes those whose
        embedding is nearest to a taught face. None if it is near to no face."""
        starts = shifted_boxes(self._standing(box[None])[0], self._aspect, height)
        quads = self._embedder.corners.coarse(bgr, starts)
        quads = quads[suppress(quads, SAME_CARD.start)]
        alike = self._all_ways(bgr, quads)[1].max((0, 2)) if len(quads) else np.zeros(0)
        if alike.max(initial=0.0) < LIMITS.unlike:
            return None
        best = quads[int(alike.argmax())]
        return self.recognise(bgr, best[None])[0]

    def _standing(self, quads: np.ndarray) -> np.ndarray:
        stood = np.stack([standing(q) if self._is_tall else q for q in quads])
        return stood.astype(np.float32)

    def _verified(
        self,
        bgr: np.ndarray,
        similarity: np.ndarray,
        quads: np.ndarray,
        is_card: float,
        is_right: float,
        occluders: Sequence[Occluder] = (),
        is_guess: bool = False,
    ) -> Recognised:
        """The likeliest face of one card.

        `similarity` (W, K) and `quads` (W, 4, 2): for each orientation, to each template. Faces
        near the most similar one are verified on the registered crop, where it is visible. A
        guess that matches them badly is compared with no others.
        """
        alike = similarity.max(0)
        numbers, seen = self._nearest(bgr, similarity, quads, occluders)
        least = LIMITS.guess if is_guess else LIMITS.partial
        if least <= seen.correlation < LIMITS.whole:
            numbers, seen = self._verify_partial(bgr, numbers, seen, occluders)
        face = self._names[numbers[seen.chosen]]
        is_face = self._names == face
        # The similarity counts in every orientation; that of a card that moved is measured again.
        top = float(alike[is_face].max())
        if seen.moved > LIMITS.moved:
            alike = self._embedder.embed(bgr, seen.quad[None])[0] @ self._gallery.vectors.T
            top = float(alike[is_face].max())
        others = alike[~is_face]
        margin = top - float(others.max()) if len(others) else 1.0
        evidence = Evidence(
            top, margin, seen.correlation, seen.better_half, *seen.contest, is_right,
            disagreement=seen.disagreement, off_hidden=seen.off_hidden,
        )  # fmt: skip
        compared = tuple(dict.fromkeys(str(self._names[one]) for one in numbers))
        return Recognised(str(face), evidence, seen.quad, is_card, compared, seen.shown)

    def _unlike(
        self, similarity: np.ndarray, quad: np.ndarray, is_card: float, is_right: float
    ) -> Recognised:
        """A region that no taught face is like: it is not compared with templates."""
        alike = similarity.max(0)
        face = str(self._names[int(alike.argmax())])
        others = alike[self._names != face]
        margin = float(alike.max() - others.max()) if len(others) else 1.0
        evidence = Evidence(float(alike.max()), margin, 0.0, 0.0, *UNDECIDED, is_right)
        return Recognised(face, evidence, quad, is_card, (face,), Occluder.whole(quad))

    def _nearest(
        self,
        bgr: np.ndarray,
        similarity: np.ndarray,
        quads: np.ndarray,
        occluders: Sequence[Occluder],
    ) -> tuple[list[int], Verified]:
        """Verifies the templates of nearest embedding: their numbers, and the winner."""
        ways, alike = similarity.argmax(0), similarity.max(0)
        near = np.flatnonzero(alike > similarity.max() - LIMITS.similarity_gap)
        near = near[np.argsort(-alike[near], kind="stable")]
        nearest = near.tolist()
        others = [k for k in self._lookalikes[nearest[0]] if k not in nearest[: LIMITS.surest]]
        ordered = [*nearest[: LIMITS.surest], *others[: LIMITS.lookalikes], *nearest]
        numbers = self._few(list(dict.fromkeys(ordered)), LIMITS.candidates)
        missing = [k for k in numbers if k not in nearest]
        if self._is_round:
            card = polar_spectrum(MaskedCrop.cut(bgr, quads[0], occluders).inner)
            places = {
                k: rotated(quads[0], rotation(card, self._spectra[k]), self._aspect)
                for k in numbers
            }
        else:
            places = {k: quads[ways[k]] for k in numbers}
            places |= dict.fromkeys(missing, places[numbers[0]])
        return numbers, self._verify(bgr, places, occluders)

    def _verify_partial(
        self, bgr: np.ndarray, verified: list[int], seen: Verified, occluders: Sequence[Occluder]
    ) -> tuple[list[int], Verified]:
        """Verifies the faces that the better half of the card matches best, in both half-turns;
        the numbers of the templates too. Nothing is done if all of them were `verified`."""
        places = {verified[seen.chosen]: seen.quad}
        for way in (self._ways[0], self._ways[len(self._ways) // 2]):
            quad = way(seen.quad)
            nearest = self._ranking.nearest(
                MaskedCrop.cut(bgr, quad, occluders).inner, LIMITS.partial_faces * self._per_face
            )
            for k in self._few(nearest, LIMITS.partial_faces):
                places.setdefault(k, quad)
        places.setdefault(verified[0], seen.quad)  # the nearest by its embedding, though it lost
        if set(places) <= set(verified):
            return verified, seen
        numbers = self._few(list(places), 2 * LIMITS.partial_faces + 2)
        return numbers, self._verify(bgr, {k: places[k] for k in numbers}, occluders)

    def _verify(
        self, bgr: np.ndarray, places: dict[int, np.ndarray], occluders: Sequence[Occluder]
    ) -> Verified:
        candidates = [Candidate(str(self._names[k]), k, quad) for k, quad in places.items()]
        return verify(bgr, candidates, self._templates, self._fine, occluders)

    def _few(self, numbers: list[int], faces: int) -> list[int]:
        """Of the templates, likeliest first, those of the first `faces` faces, a few of each."""
        kept: dict[str, list[int]] = {}
        for k in numbers:
            of_face = kept.setdefault(str(self._names[k]), [])
            if len(of_face) < LIMITS.templates_per_face:
                of_face.append(k)
        return [k for of_face in list(kept.values())[:faces] for k in of_face]

    def recognise_under(
        self, bgr: np.ndarray, one: Recognised, occluders: Sequence[Occluder]
    ) -> Recognised | None:
        """Recognises a card again without the pixels under the `occluders`; None if too few are
        left."""
        if MaskedCrop.cut(bgr, one.quad, occluders).share < LIMITS.least_visible:
            return None
        quads, similarity = self._all_ways(bgr, one.quad[None])
        return self._verified(
            bgr, similarity[:, 0], quads[:, 0], one.is_card, one.evidence.corners, occluders
        )

    def _all_ways(self, bgr: np.ndarray, quads: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The quads (N, 4, 2) in each orientation (W, N, 4, 2), and their similarity to each
        template (W, N, K)."""
        turned = np.array([[way(quad) for quad in quads] for way in self._ways], np.float32)
        return turned, self._embedder.embed_ways(bgr, turned) @ self._gallery.vectors.T

    def best_poses(
        self,
        bgr: np.ndarray,
        poses: list[Pose],
        occluders: Sequence[Occluder],
        most: int,
        least_pose: float = LIMITS.least_pose,
    ) -> list[Pose]:
        """Up to `most` of the poses, by the correlation of their visible part; poses that are
        hardly visible, or correlate less than `least_pose`, are left out."""
        found = []
        for pose in poses:
            template = self._templates.normal(pose.template)
            correlation, visible = visible_correlation(bgr, pose.quad, template, occluders)
            is_sure = pose.inliers >= LIMITS.sure_inliers
            least = least_pose / 2 if is_sure else least_pose
            if visible >= LIMITS.least_visible and correlation >= least:
                found.append((correlation, pose))
        found.sort(key=lambda one: -one[0])
        return [pose for _, pose in found[:most]]

    def recognise_pose(
        self, bgr: np.ndarray, pose: Pose, occluders: Sequence[Occluder] = ()
    ) -> Recognised:
        """The likeliest face of the card at a pose, without the pixels under the `occluders`."""
        turned, alike = self._all_ways(bgr, pose.quad[None])
        quads, similarity = turned[:, 0], alike[:, 0]
        # The embedding of an occluded card may be that of any face, reversed too.
        similarity[1:, pose.template] = -1.0
        similarity[0, pose.template] = max(
            similarity[0, pose.template], float(similarity.max()) - LIMITS.similarity_gap / 2
        )
        one = self._verified(bgr, similarity, quads, 1.0, LIMITS.pose_corners, occluders)
        return replace(one, evidence=replace(one.evidence, inliers=pose.inliers))
