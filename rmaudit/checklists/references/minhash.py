"""Which of many texts may be nearly the same, in time linear in their length.

A text is the set of its windows of eight bytes (UTF-8), so that no language has to be split into
words. One permutation hashing (Li, Owen and Zhang 2012) deals the hashed windows into `ROWS` bins
and keeps the least of each; an empty bin takes that of the next one that is not (densification by
rotation, Shrivastava and Li 2014). Two sets agree in a bin with the probability of their Jaccard
similarity. Bands of bins find candidates without comparing all pairs (locality-sensitive hashing,
Indyk and Motwani 1998). Nothing is drawn: the same texts give the same candidates everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

WINDOW = 8
BANDS, BAND_ROWS = 16, 8
ROWS = BANDS * BAND_ROWS
MOST_PAIRS = 5_000_000
_CHUNK = 4096
_VALUE_BITS = 25  # of a hash; the seven above them are the bin

Hashes = NDArray[np.uint32]
Signature = NDArray[np.uint32]
Places = NDArray[np.int64]

_MIX = np.uint64(0x9E3779B97F4A7C15)  # 2^64 divided by the golden ratio (Knuth, TAOCP 3, 6.4)


class Candidates(NamedTuple):
    """Pairs of places that may be nearly the same, [pairs, 2], the lower place first.

    `left_out` counts pairs that were not looked at, since there are more than `MOST_PAIRS`.
    """

    pairs: Places
    left_out: int


def windows(text: str) -> Hashes:
    """The windows of a text, hashed to 32 bits; a text shorter than one window is one window."""
    data = text.encode(errors="replace").ljust(WINDOW, b"\0")
    array = np.frombuffer(data, dtype=np.uint8)
    view = np.lib.stride_tricks.sliding_window_view(array, WINDOW)
    words = np.ascontiguousarray(view).view("<u8").ravel()
    mixed = words * _MIX
    mixed ^= mixed >> np.uint64(29)
    return ((mixed * _MIX) >> np.uint64(32)).astype(np.uint32)


def signature(hashes: Hashes) -> Signature:
    """The least hash of each bin, [ROWS]; an empty bin holds that of the next one and how far."""
    empty = np.uint32(1 << _VALUE_BITS)
    least = np.full(ROWS, empty, dtype=np.uint32)
    np.minimum.at(least, hashes >> np.uint32(_VALUE_BITS), hashes & (empty - np.uint32(1)))
    filled = np.flatnonzero(least < empty)
    rows = np.arange(ROWS)
    source = filled[np.searchsorted(filled, rows) % len(filled)]
    far = ((source - rows) % ROWS).astype(np.uint32)
    return least[source] | (far << np.uint32(_VALUE_BITS))


def jaccard(one: str, other: str) -> float:
    """Jaccard similarity of the windows of two texts, in [0, 1]; exact but for hash collisions."""
    if one == other:
        return 1.0
    a, b = np.unique(windows(one)), np.unique(windows(other))
    both = len(np.intersect1d(a, b, assume_unique=True))
    return both / (len(a) + len(b) - both)


def candidates(signatures: Sequence[Sequence[Signature]], *, similarity: float) -> Candidates:
    """Pairs of things that are nearly the same in every one of their parts.

    With parts that are alike by J1, J2, ... two things share one of the bands with the probability
    1 - (1 - (J1 J2 ...)^BAND_ROWS)^BANDS: .9999 for two parts at .95, .96 at .90, .005 at .60. Of
    those, pairs are kept whose signatures agree as at `similarity`, less three standard errors.

    Args:
        signatures: of each thing, one signature a part.
        similarity: the least similarity of each part.
    """
    if len(signatures) < 2:
        return Candidates(np.zeros((0, 2), dtype=np.int64), 0)
    parts = np.array(signatures, dtype=np.uint32)  # [things, parts, ROWS]
    wanted = similarity ** parts.shape[1]
    least = wanted - 3 * np.sqrt(wanted * (1 - wanted) / ROWS)
    pairs, left_out = _shared_bands(parts)
    kept = [
        chunk[(parts[chunk[:, 0]] == parts[chunk[:, 1]]).all(axis=1).mean(axis=1) >= least]
        for chunk in np.array_split(pairs, len(pairs) // _CHUNK + 1)
    ]
    return Candidates(np.concatenate(kept), left_out)


def _shared_bands(parts: Signature) -> tuple[Places, int]:
    """Pairs that share a band, each once, those of small bands first where there are too many."""
    found: list[Places] = []
    crowded: list[Places] = []
    room = MOST_PAIRS
    for band in range(BANDS):
        # Bins far from each other, since neighbours may hold the hash of one and the same window.
        rows = parts[:, :, band::BANDS].reshape(len(parts), -1)
        order = np.lexsort(rows.T)
        new = np.any(np.diff(rows[order], axis=0) != 0, axis=1)
        for bucket in np.split(order, np.flatnonzero(new) + 1):
            size = len(bucket)
            if size < 2:
                continue
            if size * (size - 1) // 2 > room:
                crowded.append(bucket)
                continue
            room -= size * (size - 1) // 2
            first, second = np.triu_indices(size, 1)
            found.append(np.sort(np.column_stack([bucket[first], bucket[second]]), axis=1))
    pairs = np.concatenate(found) if found else np.zeros((0, 2), dtype=np.int64)
    left_out = sum(len(bucket) * (len(bucket) - 1) // 2 for bucket in crowded)
    return np.unique(pairs, axis=0), left_out
