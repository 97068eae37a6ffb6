"""Writes scipy_ranks.json: what scipy says of a matrix of scores, sets by methods. Run in this folder with numpy 2.4.6 and
scipy 1.17.1:  python scipy_ranks.py > scipy_ranks.json
"""
import itertools
import json

import numpy as np
from scipy import stats

n, k = 12, 4
i, j = np.mgrid[:n, :k]
scores = 0.8 + 0.05 * np.sin(3.0 * i) + 0.02 * np.sin(1.0 + 7 * i * (j + 1)) + 0.012 * j
cases = {"plain": scores, "ties": np.round(scores, 2)}
out = {}
for name, s in cases.items():
    chi, p = stats.friedmanchisquare(*s.T)
    f = (n - 1) * chi / (n * (k - 1) - chi)
    pairs = []
    for a, b in itertools.combinations(range(k), 2):
        d = s[:, a] - s[:, b]
        zeros_or_ties = (d == 0).any() or len(np.unique(np.abs(d))) < n
        method = stats.PermutationMethod(n_resamples=2**n) if zeros_or_ties else "exact"  # all signs of ties
        w = stats.wilcoxon(d, zero_method="wilcox", method=method)
        pairs.append([a, b, float(w.statistic), float(w.pvalue)])
    pairs.sort(key=lambda v: v[3])
    most = 0.0
    for at, v in enumerate(pairs):  # Holm
        most = max(most, min(1.0, (len(pairs) - at) * v[3]))
        v.append(most)
    out[name] = {"scores": s.tolist(), "means": np.mean([stats.rankdata(-r) for r in s], axis=0).tolist(),
                 "friedman": [chi, p], "iman": [f, stats.f.sf(f, k - 1, (k - 1) * (n - 1))], "pairs": pairs}
out["ranges"] = [float(stats.studentized_range.ppf(0.95, m, np.inf)) for m in range(2, 11)]
print(json.dumps(out))
