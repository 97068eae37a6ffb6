"""Writes sklearn_calibration.json: probabilities by CalibratedClassifierCV(SVC()) for the points of calibration_test.go.

Run with scikit-learn 1.9.1 and numpy 2.4.6:  python3 sklearn_calibration.py > sklearn_calibration.json
"""

import json
import math
import sys

sys.path.pop(0)  # sklearn.py in this folder is called like the package

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import StratifiedGroupKFold
from sklearn.svm import SVC

# name: points of each class, repetitions of each point, points of each group (0: no groups)
CASES = {
    "2 balanced": ([40, 40], 1, 0),
    "2, 1:10": ([100, 10], 1, 0),
    "2, 1:50": ([250, 5], 1, 0),
    "2, 1:50, 2 rare points": ([100, 2], 1, 0),
    "3 balanced": ([30, 30, 30], 1, 0),
    "3, 1:50": ([250, 30, 5], 1, 0),
    "4 balanced": ([25, 25, 25, 25], 1, 0),
    "5, 1:10": ([80, 40, 20, 10, 8], 1, 0),
    "6 balanced": ([20, 20, 20, 20, 20, 20], 1, 0),
    "6, 1:50": ([250, 50, 50, 30, 10, 5], 1, 0),
    "2, each point 3 times": ([60, 60], 3, 0),
    "4, 1:10, each point 3 times": ([90, 30, 15, 9], 3, 0),
    "2, groups of 5": ([60, 60], 1, 5),
    "3, groups of 5": ([60, 60, 60], 1, 5),
    "2, 1:5, groups of 5": ([125, 25], 1, 5),
    "2, groups of 5, each point 2 times": ([60, 60], 2, 5),
}


class Generator:
    """Linear congruential generator, the same as in calibration_test.go."""

    def __init__(self, seed):
        self.state = seed

    def normal(self):
        total = 0.0
        for _ in range(12):
            self.state = (1103515245 * self.state + 12345) % 2**31
            total += self.state / 2**31
        return total - 6


def draw(counts, repetitions, group_size, seed):
    g, x, y, group = Generator(seed), [], [], []
    for c, n in enumerate(counts):
        angle, shift = 2 * math.pi * c / len(counts), [0.0, 0.0]
        for i in range(n // repetitions):
            if group_size and i % group_size == 0:
                shift = [g.normal(), g.normal()]
            noise = 0.5 if group_size else 1.0
            p = [1.5 * math.cos(angle) + shift[0] + noise * g.normal(),
                 1.5 * math.sin(angle) + shift[1] + noise * g.normal()]
            for _ in range(repetitions):
                x.append(p)
                y.append(c)
                group.append(100 * c + i // group_size if group_size else 1000 * c + i)
    return np.array(x), np.array(y), np.array(group)


result = {}
for name, (counts, repetitions, group_size) in CASES.items():
    x = draw(counts, repetitions, group_size, 1)[0]
    result[name] = {"first training points": {"Sum": x.sum()}}
    kinds = ["default"] + ["grouped folds"] * (group_size > 0 or repetitions > 1) + ["cv=5"] * (min(counts) < 5)
    for kind in kinds:
        mean, loss = [], []
        for seed in (1, 2, 3):
            x, y, group = draw(counts, repetitions, group_size, seed)
            z, true, _ = draw([4 * n for n in counts], 1, group_size, 100 + seed)
            folds = 5 if kind == "cv=5" else None
            if kind == "grouped folds":
                folds = list(StratifiedGroupKFold(5).split(x, y, group))
            try:
                p = CalibratedClassifierCV(SVC(), cv=folds).fit(x, y).predict_proba(z)
            except ValueError as e:
                result[name][kind] = {"Error": str(e)}
                break
            p = p[np.arange(len(true)), true]
            mean.append(p.mean())
            loss.append(-np.log(p).mean())
        else:
            result[name][kind] = {"MeanProbability": np.mean(mean).round(4), "LogLoss": np.mean(loss).round(4)}
print(json.dumps(result, indent=1))
