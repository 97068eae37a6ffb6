"""Writes sklearn.json: what scikit-learn says of a model that the test makes too. Run in this folder with
numpy 2.4.6, scipy 1.17.1 and scikit-learn 1.9.1:  python sklearn.py > sklearn.json
"""
import json
import sys

sys.path.pop(0)  # this file is called like the package

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.inspection import partial_dependence, permutation_importance

n, d = 12, 3
i, j = np.mgrid[:n, :d]
X = np.sin(1.0 + 3 * i + 5 * j)
w, gamma, bias = np.cos(np.arange(n)), 0.5, 0.25


def f(z):
    return np.exp(-gamma * ((z[:, None, :] - X[None]) ** 2).sum(2)) @ w + bias


y = f(X) + 0.3 * np.sin(7.0 * np.arange(n))
labels = np.where(y > 0.3, 1, -1)
seen = []


class Regressor(RegressorMixin, BaseEstimator):
    def fit(self, X, y):
        self.fitted_ = True
        return self

    def predict(self, z):
        seen.append(np.array(z))
        return f(z)


class Classifier(ClassifierMixin, Regressor):
    classes_ = np.array([-1, 1])

    def predict(self, z):
        seen.append(np.array(z))
        return np.where(f(z) >= 0, 1, -1)


def importances(model, target, scoring):
    seen.clear()
    p = permutation_importance(model, X, target, scoring=scoring, n_repeats=5, random_state=0, n_jobs=1)
    # row k of permuted column c came from row orders[c][repeat][k]; the first prediction is of X itself
    orders = [[[int(np.flatnonzero(X[:, c] == v)[0]) for v in seen[1 + 5 * c + r][:, c]] for r in range(5)]
              for c in range(d)]
    return {"orders": orders, "mean": p.importances_mean.tolist()}


def partial(features, points):
    p = partial_dependence(Regressor().fit(X, y), X, features, kind="average", grid_resolution=points)
    return {"grid": [g.tolist() for g in p["grid_values"]], "mean": p["average"][0].ravel().tolist()}


print(json.dumps({
    "x": X.ravel().tolist(), "w": w.tolist(), "y": y.tolist(), "labels": labels.tolist(),
    "rmse": importances(Regressor().fit(X, y), y, "neg_root_mean_squared_error"),
    "accuracy": importances(Classifier().fit(X, labels), labels, "accuracy"),
    "one": partial([1], 5),
}, indent=None))
