"""Predicts with a model file of package model: numpy only, from the documentation of the file ("go doc ./algos/model").

    python3 score.py model.json new.csv       a table like the training file
    python3 score.py model.json new.npy ...   features; with precomputed kernels, one matrix for each kernel
    python3 score.py model.json new.txt       sequences, one on each line

Writes one line for each point: the class, if the model has classes, then the numbers of Model.Values, then the
probabilities, if the model has them, then lower and upper of each target, if the model has intervals.
"""

import csv
import itertools
import json
import math
import sys

import numpy as np


def numbers(values):
    """Returns a list of numbers, of which NaN and infinities are strings."""
    return np.array([float(v) for v in values])


def integers(values):
    return np.array(values, int)


def kind(value):
    """Returns the name of the type of a value behind an interface, without its package, and its fields."""
    return value["type"].split("/")[-1], value["value"]


def floats(fields, name, default=()):
    return numbers(fields[name]) if fields.get(name) else np.array(default, float)


# Points. Rows and Sparse become a matrix, sequences a list, and the points of precomputed kernels row numbers.


def points(value):
    name, p = kind(value)
    if name == "points.Rows":
        return floats(p, "Data").reshape(p["N"], p["D"])
    if name == "points.Sparse":
        ptr, col, val = integers(p["Ptr"]), integers(p.get("Col") or []), floats(p, "Val")
        x = np.zeros((len(ptr) - 1, p["D"]))
        for i in range(len(x)):
            x[i, col[ptr[i]:ptr[i + 1]]] = val[ptr[i]:ptr[i + 1]]
        return x
    if name == "points.Sequences":
        return [s.upper() for s in p]
    if name == "points.Indices":
        return integers(p)
    raise ValueError("points of type " + name)


# Preprocessing: each step is fitted to the result of the step before.


def is_constant(low, high):
    return high - low <= 1e-13 * np.maximum(abs(low), abs(high))


def fit_step(step, x):
    """Returns the shift and the scale of each column."""
    low, high, mean = x.min(0), x.max(0), x.mean(0)
    zero = np.zeros(x.shape[1])
    if step == "max-abs":
        largest = abs(x).max(0)
        return zero, np.divide(1, largest, where=largest > 0, out=zero.copy())
    shift, spread = mean, np.ones(x.shape[1])
    if step == "min-max":
        shift, spread = low, high - low
    elif step.startswith("standardize"):
        spread = np.sqrt(((x - mean) ** 2).mean(0))
    if step == "standardize numbers":  # columns of 0 and 1 are left as they are
        binary = ((x == 0) | (x == 1)).all(0) & (low < high)
        shift, spread = np.where(binary, 0, shift), np.where(binary, 1, spread)
    ok = (spread > 0) & ~is_constant(low, high)
    return shift, np.divide(1, spread, where=ok, out=zero.copy())


def prepare(family, x, z):
    """Returns x and z after the preprocessing of a family, fitted to x or as the family has it."""
    fitted = (family.get("FittedTransforms") or {}).get("Preprocessing", {}).get("Steps")
    for i, step in enumerate(family.get("Prepare") or []):
        if step == "center rows":
            x, z = (np.where(is_constant(v.min(1), v.max(1))[:, None], 0, v - v.mean(1)[:, None]) for v in (x, z))
        elif step == "unit rows":
            x, z = (v / np.where((v**2).sum(1) > 0, np.sqrt((v**2).sum(1)), 1)[:, None] for v in (x, z))
        else:
            shift, scale = fit_step(step, x)
            if fitted:
                zero = np.zeros(x.shape[1])
                shift, scale = floats(fitted[i], "Shift", zero), floats(fitted[i], "Scale", zero)
            x, z = (x - shift) * scale, (z - shift) * scale
    return x, z


# Base kernels


def words(k, sequence):
    """Returns the number of positions of a sequence whose word is near each word of K letters."""
    letters, length, most = (k.get("Alphabet") or "ACDEFGHIKLMNPQRSTVWY").upper(), k["K"], k.get("Mismatches", 0)
    counts = {}
    for i in range(len(sequence) - length + 1):
        word = sequence[i:i + length]
        if any(c not in letters for c in word):
            continue
        near = {word}
        for at in itertools.combinations(range(length), most):
            for new in itertools.product(letters, repeat=most):
                changed = list(word)
                for j, c in zip(at, new):
                    changed[j] = c
                near.add("".join(changed))
        for w in near:
            counts[w] = counts.get(w, 0) + 1
    return counts


def cross(kernel, z, x):
    """Returns the matrix of k(z_i, x_j)."""
    name, k = kind(kernel)
    if name == "kernel.product":
        out = np.ones((len(z), len(x)))
        for factor, e in zip(k["Kernels"], k["Exponents"]):
            out *= cross(factor, z, x) ** e if e else 1
        return out
    if name == "words.Spectrum":
        a, b = ([words(k, s) for s in p] for p in (z, x))
        return np.array([[sum(c * v.get(w, 0) for w, c in u.items()) for v in b] for u in a], float)
    if name == "kernel.Precomputed":
        if isinstance(z, dict):  # new points, by their values with all points
            rows = z[k.get("KernelRowsName") or k.get("Name", "")]
            if k.get("NewPointMap"):
                rows = rows @ floats(k, "NewPointMap").reshape(k["N"], k["N"]).T
            return rows[:, x]
        return floats(k, "Data").reshape(k["N"], k["N"])[np.ix_(z, x)]
    if k.get("Columns"):
        z, x = z[:, k["Columns"]], x[:, k["Columns"]]
    if name == "kernel.Linear":
        return z @ x.T
    if name == "kernel.Polynomial":
        return ((k.get("Gamma") or 1) * (z @ x.T) + k.get("Offset", 0)) ** k["Degree"]
    difference = z[:, None, :] - x[None, :, :]
    if name == "kernel.RBF":
        return np.exp(-k["Gamma"] * (difference**2).sum(2))
    if name == "kernel.Laplacian":
        return np.exp(-k["Gamma"] * abs(difference).sum(2))
    raise ValueError("kernel " + name)


def diagonal(kernel, x):
    if isinstance(x, dict):
        return np.zeros(len(next(iter(x.values()))))
    return np.array([cross(kernel, x[i:i + 1], x[i:i + 1])[0, 0] for i in range(len(x))])


# Families: count(family, x) is the number of weights, gram(family, theta, z, x) the matrix of k_theta(z_i, x_j).


def gram_sum(f, theta, z, x):
    if f.get("Prepare"):
        x, z = prepare(f, x, z)
    fitted, normalize, total = f.get("FittedTransforms") or {}, f.get("Normalize", ""), np.zeros((size(z), len(x)))
    for k, (kernel, t) in enumerate(zip(f["Kernels"], theta)):
        if t == 0:
            continue
        a, known = cross(kernel, z, x), floats(fitted, "ScaleFactors")
        if normalize == "mean diagonal" and len(known):
            total += t * known[k] * a
            continue
        if not f.get("Center") and not normalize:
            total += t * a
            continue
        before, new_before, grand = diagonal(kernel, x), diagonal(kernel, z), 0.0
        after, new = before, new_before
        if f.get("Center"):
            own = cross(kernel, x, x)
            means, grand, new_means = own.mean(1), own.mean(), a.mean(1)
            a = a + grand - new_means[:, None] - means
            after, new = before + grand - 2 * means, new_before + grand - 2 * new_means
        if normalize == "mean diagonal":
            a = a * len(x) / after.sum() if after.sum() > 1e-12 * before.sum() else 0 * a
        elif normalize == "cosine":
            top = floats(fitted, "LargestDiagonal")[k] if fitted.get("LargestDiagonal") else before.max()

            def inverse(v, was):
                zero = v <= 1e-14 * top
                if f.get("Center"):
                    zero |= v <= 1e-12 * np.maximum(was, abs(grand))
                return np.where(zero, 0, 1 / np.sqrt(np.where(zero, 1, v)))

            a = a * inverse(new, new_before)[:, None] * inverse(after, before)
        total += t * a
    return total ** f.get("Degree", 1)


def exponents(p, degree):
    """Returns the exponents of the monomials of p variables, as kernel.Exponents does."""
    return [[c.count(j) for j in range(p)] for d in range(degree + 1)
            for c in itertools.combinations_with_replacement(range(p), d)]


class Tessellated:
    """k(x, y) = integral over a box of N(z, x)' P N(z, y), from its definition: by regions and monomials."""

    def __init__(self, f, x):
        d = x.shape[1]
        self.balanced = f.get("TraceMetric") == "balanced"
        self.shift, self.factor, self.constant = np.zeros(d), np.ones(d), np.zeros(d, bool)
        if f.get("Lower"):
            self.lower, self.upper = numbers(f["Lower"]), numbers(f["Upper"])
        else:
            bound = f.get("BoxMargin") or (0.5 if d <= 15 else d / 6)
            self.lower, self.upper = np.full(d, -bound), np.full(d, 1 + bound)
            self.shift, self.factor = x.min(0), x.max(0) - x.min(0)
            self.constant = self.factor == 0
        e = exponents(2 * d if f.get("Basis") else d, f.get("Degree", 0))
        self.delta, self.gamma = [v[:d] for v in e], [v[d:] or [0] * d for v in e]
        self.q, self.rho, self.unit, self.center = len(e), 1.0, 1.0, not f.get("Uncentered")
        if self.balanced:
            volume = self.integral(0, 0, np.zeros(d, int), self.scale(x), self.scale(x))
            self.rho = math.sqrt(np.prod(self.upper - self.lower) / volume.diagonal().mean())
        if f.get("UnitMeanDiagonal"):
            k = self.gram(np.eye(2 * self.q) / (2 * self.q), x, x)
            self.unit = len(x) / k.trace()

    def scale(self, x):
        return np.where(self.constant, 0.5, (x - self.shift) / np.where(self.constant, 1, self.factor))

    def integral(self, a, b, powers, x, y):
        """Returns the integrals of z^powers where half a of N(z, x_i) and half b of N(z, y_j) are not 0."""
        out = np.ones((len(x), len(y)))
        for j, p in enumerate(powers):
            lo, hi = self.lower[j], self.upper[j]
            low = np.full(out.shape, lo)
            for half, v in ((a, x[:, j][:, None]), (b, y[:, j][None, :])):
                if half == 0:
                    low = np.maximum(low, np.clip(v, lo, hi))
            out *= (hi ** (p + 1) - low ** (p + 1)) / (p + 1)
        return out

    def gram(self, p, x, y):
        """Returns the matrix of P. x are new or fixed points, y the fixed points."""
        x, fixed, q = self.scale(x), self.scale(y), self.q
        if not self.balanced:  # the second half is the whole box less the first
            change = np.block([[np.eye(q), np.zeros((q, q))], [-np.eye(q), np.eye(q)]])
            p = change.T @ p @ change
        if self.balanced:
            rho = np.repeat([self.rho, 1], q)
            p = p * rho[:, None] * rho

        def k(x, y):
            u, v = (np.stack([np.prod(a ** np.array(e), 1) for e in self.delta]) for a in (x, y))
            out, regions = np.zeros((len(x), len(y))), {}
            for a, b, i, j in itertools.product(range(2), range(2), range(q), range(q)):
                c = tuple(np.add(self.gamma[i], self.gamma[j]))
                if (a, b, c) not in regions:
                    regions[a, b, c] = self.integral(a, b, c, x, y)
                out += p[a * q + i, b * q + j] * regions[a, b, c] * np.outer(u[i], v[j])
            return out

        out = k(x, fixed)
        if self.center:
            own = k(fixed, fixed)
            out = out - out.mean(1)[:, None] - own.mean(1) + own.mean()
        return self.unit * out


def count(family, x):
    name, f = kind(family)
    if name in ("kernel.List", "kernel.Sum"):
        return len(f if name == "kernel.List" else f["Kernels"])
    if name == "kernel.Monomials":
        return (len(f["Kernels"]) if f.get("Tied") else 0) + len(f.get("Free") or [])
    if name == "tessellated.Family":
        return 4 * Tessellated(f, x).q ** 2
    return x.shape[1] + bool(f.get("Constant"))


def gram(family, theta, z, x):
    name, f = kind(family)
    if name == "kernel.List":
        return gram_sum({"Kernels": f}, theta, z, x)
    if name == "kernel.Sum":
        return gram_sum(f, theta, z, x)
    if name == "tessellated.Family":
        t = Tessellated(f, x)
        return t.gram(theta.reshape(2 * t.q, 2 * t.q), z, x)
    if name == "blocks.Family":
        total, at = 0, 0
        for part in f["Families"]:
            m = count(part, x)
            total, at = total + gram(part, theta[at:at + m], z, x), at + m
        return total
    x, z = prepare(f, x, z)
    if name == "kernel.Gaussians":
        return np.exp(-(((z[:, None, :] - x[None, :, :]) ** 2) * theta).sum(2))
    if name == "kernel.Features":
        if f.get("Constant"):
            x, z = (np.column_stack([v, np.ones(len(v))]) for v in (x, z))
        return ((z * theta) @ x.T) ** f.get("Degree", 1)
    if name == "kernel.Monomials":
        tied, free = ([integers(e) for e in f.get(part) or []] for part in ("Tied", "Free"))
        weights = [np.prod(theta[:len(e)] ** e) for e in tied] + list(theta[len(theta) - len(free):])
        base = [cross(k, z, x) for k in f["Kernels"]]
        return sum(w * np.prod([k**p for k, p in zip(base, e)], 0) for w, e in zip(weights, tied + free))
    raise ValueError("family " + name)


# Models


def size(z):
    return len(next(iter(z.values()))) if isinstance(z, dict) else len(z)


def decisions(m, z):
    """Returns f at each point z, before exp, one column for each column of W."""
    x = points(m["X"])
    w = numbers(m["W"]).reshape(-1, len(x)).T
    f = gram(m["Family"], numbers(m["Theta"]), z, x) @ w + m.get("Bias", 0) + m.get("Offset", 0)
    for name in ("Biases", "Offsets"):
        f = f + floats(m, name, np.zeros(w.shape[1]))
    return f


def predict(m, z):
    """Returns one row of Model.Values for each point, the classes or None, and the probabilities or None."""
    f, classes = decisions(m, z), m.get("Classes") or []
    k = len(classes)
    p = [1 / (1 + np.exp(s.get("A", 0) * f[:, j] + s.get("B", 0))) for j, s in enumerate(m.get("Sigmoids") or [])]
    probabilities = np.array(p).T if p else None
    if not classes:
        return np.exp(f) if m.get("LogTargets") else f, None, None
    if k == 2:
        best = (f[:, 0] >= 0).astype(int)
        probabilities = np.column_stack([1 - p[0], p[0]]) if p else None
    else:
        best = f.argmax(1)
    if p:  # the predicted class has the largest probability
        probabilities[probabilities.sum(1) == 0] = 1
        for row, c in zip(probabilities, best):
            row[c] = max(row[c], max(np.delete(row, c)) * (1 + 1e-12))
        probabilities /= probabilities.sum(1)[:, None]
    return f, [classes[i] for i in best], probabilities


def intervals(m, z):
    """Returns lower and upper of each target: see Intervals."""
    level, lows, highs = m["Intervals"]["Level"], [], []
    for fold in m["Intervals"]["Folds"]:
        f = decisions(fold["Model"], z)
        r = numbers(fold["Residuals"]).reshape(f.shape[1], -1)
        lows.append(f[:, :, None] - r)
        highs.append(f[:, :, None] + r)
    lows, highs = (np.sort(np.concatenate(v, 2), 2) for v in (lows, highs))
    n = lows.shape[2]
    low, high = int((1 - level) * (n + 1) + 1e-9), math.ceil(level * (n + 1) - 1e-9)
    both = np.stack([lows[:, :, low - 1], highs[:, :, high - 1]], 2).reshape(len(lows), -1)
    return np.exp(both) if m.get("LogTargets") else both


def table(m, path):
    """Returns the features of the rows of a CSV file like the training file: see data.Encoding."""
    _, e = kind(m["Input"])
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    columns = []
    for c in e["Columns"]:
        cells = [r[c["Name"]].strip() for r in rows]
        if not c.get("Levels"):
            columns.append([c.get("Mean", 0) if s in ("", "?", "NA") else float(s) for s in cells])
            continue
        columns += [[float(s == level) for s in cells] for level in c["Levels"]]
        if c.get("HasMissingLevel"):
            columns.append([float(s in ("", "?", "NA")) for s in cells])
    x = np.array(columns).T
    return x[:, e["Keep"]] if e.get("Keep") else x


def load(m, paths):
    if paths[0].endswith(".csv"):
        return table(m, paths[0])
    if paths[0].endswith(".txt"):
        with open(paths[0], encoding="ascii") as file:
            return [line.strip().upper() for line in file]
    arrays = [np.load(p).astype(float) for p in paths]
    if not m["X"]["type"].endswith("points.Indices"):
        return arrays[0]
    _, f = kind(m["Family"])
    kernels = [kind(k)[1] for k in (f if isinstance(f, list) else f["Kernels"])]
    names = list(dict.fromkeys(k.get("KernelRowsName") or k.get("Name", "") for k in kernels))
    return dict(zip(names, arrays))


def main(path, *paths):
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    if content["format"] != "mkl-model/1":
        raise ValueError("the format is " + content["format"])
    m = content["model"]
    z = load(m, paths)
    values, classes, probabilities = predict(m, z)
    parts = [values] + ([probabilities] if probabilities is not None else [])
    if m.get("Intervals"):
        parts.append(intervals(m, z))
    out = csv.writer(sys.stdout, lineterminator="\n")
    for i, row in enumerate(np.column_stack(parts)):
        out.writerow(([classes[i]] if classes else []) + [repr(float(v)) for v in row])


if __name__ == "__main__":
    main(*sys.argv[1:])
