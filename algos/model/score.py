"""Predicts with a model file of package model: numpy only, from the documentation of the file ("go doc ./algos/model").

    python3 score.py model.json new.csv       a table like the training file
    python3 score.py model.json new.npy ...   features; with precomputed kernels, one matrix for each kernel
    python3 score.py model.json new.txt       sequences, one on each line

Writes one line for each point: the class, if the model has classes, then the numbers of Model.Values, then the
probabilities, if the model has them, then lower and upper of each target, if the model has intervals. What it cannot
read as the library does is an error, with exit status 1.
"""

import csv
import hashlib
import io
import itertools
import json
import math
import os
import re
import sys
import unicodedata

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


def rank_functions(x):
    """Returns the values and ranks of each column: see points.RankFunction."""
    functions = []
    for column in np.sort(x, axis=0).T:
        values, counts = np.unique(column, return_counts=True)
        ranks = (np.cumsum(counts) - (counts + 1) / 2) / max(len(column) - 1, 1)
        if is_constant(values[0], values[-1]):
            values, ranks = values[:1], np.zeros(1)
        elif np.array_equal(values, [0, 1]):
            values = ranks = np.zeros(0)
        elif len(values) > 256:
            at = np.arange(256) * (len(values) - 1) // 255
            values, ranks = values[at], ranks[at]
        functions.append({"Values": values.tolist(), "Ranks": ranks.tolist()})
    return functions


def replace_by_ranks(x, functions):
    return np.array([np.interp(v, floats(f, "Values"), floats(f, "Ranks")) if f.get("Values") else v
                     for v, f in zip(x.T, functions)]).T


def prepare(family, x, z):
    """Returns x and z after the preprocessing of a family, fitted to x or as the family has it."""
    fitted = (family.get("FittedTransforms") or {}).get("Preprocessing", {}).get("Steps")
    for i, step in enumerate(family.get("Prepare") or []):
        if step == "center rows":
            x, z = (np.where(is_constant(v.min(1), v.max(1))[:, None], 0, v - v.mean(1)[:, None]) for v in (x, z))
        elif step == "unit rows":
            x, z = (v / np.where((v**2).sum(1) > 0, np.sqrt((v**2).sum(1)), 1)[:, None] for v in (x, z))
        elif step == "ranks":
            functions = fitted[i]["RankFunctions"] if fitted else rank_functions(x)
            x, z = replace_by_ranks(x, functions), replace_by_ranks(z, functions)
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
    f = gram(m["Family"], numbers(m["Theta"]), z, x) @ w
    for name in ("Biases", "Offsets"):
        f = f + floats(m, name, np.zeros(w.shape[1]))
    taus = floats(m, "Quantiles")
    return np.sort(f, 1) if len(taus) > 1 and taus[0] < taus[1] else f  # several quantiles of one target do not cross


def predict(m, z):
    """Returns one row of Model.Values for each point, the classes or None, and the probabilities or None."""
    f, classes = decisions(m, z), m.get("Classes") or []
    k = len(classes)
    t = [s.get("A", 0) * f[:, j] + s.get("B", 0) for j, s in enumerate(m.get("Sigmoids") or [])]
    with np.errstate(over="ignore"):
        p = [1 / (1 + np.exp(v)) for v in t]
    probabilities = np.array(p).T if p else None
    if not classes:
        return np.exp(f) if m.get("LogTargets") else f, None, None
    if k == 2:
        best = (f[:, 0] >= 0).astype(int)
        probabilities = np.column_stack([1 - p[0], p[0]]) if p else None
    else:
        best = f.argmax(1)
    if p:  # the predicted class has the largest probability
        tiny, t = probabilities.max(1) < 1e-290, np.array(t).T
        if k > 2:
            probabilities[tiny] = np.exp(t[tiny].min(1)[:, None] - t[tiny])
        for row, c in zip(probabilities, best):
            row[c] = max(row[c], max(np.delete(row, c)) * (1 + 1e-12))
        probabilities /= probabilities.sum(1)[:, None]
    return f, [classes[i] for i in best], probabilities


def intervals(m, z):
    """Returns lower and upper of each target: see Intervals."""
    level, lows, highs, weights = m["Intervals"]["Level"], [], [], []
    for fold in m["Intervals"]["Folds"]:
        f = decisions(fold["Model"], z)
        r = numbers(fold["Residuals"]).reshape(f.shape[1], -1)
        lows.append(f[:, :, None] - r)
        highs.append(f[:, :, None] + r)
        weights.append(floats(fold, "Weights", np.ones(r.shape[1])))
    weights = np.concatenate(weights)

    def smallest_covering(values):
        order = np.argsort(values, 2)
        covers = np.cumsum(weights[order], 2) >= level * (1 + weights.sum()) - 1e-9
        return np.take_along_axis(np.take_along_axis(values, order, 2), covers.argmax(2)[:, :, None], 2)[:, :, 0]

    low, high = -smallest_covering(-np.concatenate(lows, 2)), smallest_covering(np.concatenate(highs, 2))
    both = np.stack([low, high], 2).reshape(len(low), -1)
    return np.exp(both) if m.get("LogTargets") else both


# Tables: the rules of data.Options, for CSV files whose first line names the columns.


def number(cell, options):
    """Returns the number in a cell (data.Options.Decimal, Thousands), or None."""
    decimal, thousands = (chr(options.get(name, 0)) for name in ("Decimal", "Thousands"))
    decimal, mark = "." if decimal == "\0" else decimal, "[ \u00a0\u202f]" if thousands == " " else re.escape(thousands)
    groups = "" if thousands == "\0" else r"|[1-9]\d{0,2}(?:%s\d{3})+" % mark
    match = re.fullmatch(r"([+-]?)(\d*%s)(?:%s(\d*))?([eE][+-]?\d+)?" % (groups, re.escape(decimal)), cell, re.ASCII)
    if not match:
        return None
    sign, whole, fraction, exponent = (match.group(i) or "" for i in (1, 2, 3, 4))
    whole = re.sub(r"\D", "", whole)
    is_code = len(whole) > 1 and whole[0] == "0"
    is_inexact = not fraction.strip("0") and not exponent and int(whole or "0") > 2**53
    if not whole + fraction or is_code or is_inexact:
        return None
    v = float(sign + whole + "." + fraction + exponent)
    return v if abs(v) <= 1e100 and (abs(v) >= 1e-100 or not (whole + fraction).strip("0")) else None


MONTHS = "january february march april may june july august september october november december".split()
DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
ELEMENT = re.compile(r"January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST|0[1-6]|002|15|1|2006|2|__2|_2(?!006)|3|4|5|PM|pm|"
                     r"[-Z]07(?:0000|:00:00|00|:00)?|[.,](?:0+|9+)(?!\d)")


def pattern(element):
    """Returns the pattern of the text that an element of a layout of package time stands for, and its meaning."""
    if element[0] in "-Z":
        parts = [r"\d\d"] * (len(re.findall("0+", element)) if ":" in element else len(element) // 2)
        offset = "[+-]" + (":" if ":" in element else "").join(parts)
        return ("Z|" if element[0] == "Z" else "") + offset, "offset"
    if element[0] in ".,":
        return (r"[.,]\d{%d}" % (len(element) - 1) if element[1] == "0" else r"(?:[.,]\d+)?"), "fraction"
    one, two = r"\d{1,2}", r"\d\d"
    known = {"2006": (r"\d{4}", "year"), "01": (two, "month"), "1": (one, "month"), "02": (two, "day"), "2": (one, "day"),
             "_2": (" ?" + one, "day"), "15": (one, "hour"), "03": (two, "hour12"), "3": (one, "hour12"),
             "04": (two, "minute"), "4": (one, "minute"), "05": (two, "second"), "5": (one, "second"),
             "PM": ("AM|PM", "half"), "pm": ("am|pm", "half"), "January": ("|".join(MONTHS), "name"),
             "Jan": ("|".join(m[:3] for m in MONTHS), "name"), "Monday": ("|".join(DAYS), "weekday"),
             "Mon": ("|".join(d[:3] for d in DAYS), "weekday")}
    if element not in known:
        raise ValueError("score.py does not read %r in a layout of dates" % element)
    return known[element]


def date(cell, layout):
    """Returns the days from 1970-01-01 to a date in a layout of package time (data.Options.Dates), or None."""
    at, found, last, elements = 0, {}, 0, list(ELEMENT.finditer(layout))
    for i, element in enumerate(elements + [None]):
        literal = layout[last:element.start() if element else len(layout)]
        for text in re.findall(" +|[^ ]+", literal):  # a blank stands for one or more
            match = re.compile("(?: +|$)" if text[0] == " " else re.escape(text)).match(cell, at)
            if not match:
                return None
            at = match.end()
        if element is None:
            break
        last = element.end()
        expression, meaning = pattern(element.group())
        flags = re.ASCII | (re.IGNORECASE if meaning in ("name", "weekday") else 0)
        match = re.compile(expression, flags).match(cell, at)
        if not match:
            return None
        at, found[meaning] = match.end(), match.group()
        if meaning == "second" and not (elements[i + 1:] and elements[i + 1].group()[0] in ".,"):
            match = re.compile(r"[.,]\d+", re.ASCII).match(cell, at)  # a fraction that the layout does not name
            if match:
                at, found["fraction"] = match.end(), match.group()
    return None if at < len(cell) else days(found)


def days(found):
    """Returns the days from 1970-01-01 to a date and time, given by the texts of its parts, or None."""
    year, month, day, hour, minute, second = (int(found.get(name, default)) for name, default in (
        ("year", 0), ("month", 1), ("day", 1), ("hour", 0), ("minute", 0), ("second", 0)))
    if "name" in found:
        month = [m[:3] for m in MONTHS].index(found["name"][:3].lower()) + 1
    if "hour12" in found:
        hour = int(found["hour12"])
        if hour > 12:
            return None
    half = found.get("half", "").upper()
    hour += 12 if half == "PM" and hour < 12 else -12 if half == "AM" and hour == 12 else 0
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    lengths = [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    if not (1 <= month <= 12 and 1 <= day <= lengths[month - 1] and 0 <= hour < 24 and minute < 60 and second < 60):
        return None
    leaps = (year + 3) // 4 - (year + 99) // 100 + (year + 399) // 400  # from the year 0, without this year
    whole = 365 * year + leaps + sum(lengths[:month - 1]) + day - 1 - 719528
    offset = found.get("offset", "Z")
    parts = [int(v) for v in re.findall(r"\d\d", offset)] + [0, 0]
    if offset != "Z":
        if parts[0] > 24 or parts[1] > 60 or parts[2] > 60:
            return None
        second -= int(offset[0] + "1") * (3600 * parts[0] + 60 * parts[1] + parts[2])
    seconds = 86400 * whole + 3600 * hour + 60 * minute + second
    nanoseconds = int((found.get("fraction", "")[1:10] or "0").ljust(9, "0"))
    return (float(seconds) + nanoseconds / 1e9) / 86400


def read_cells(path, options):
    """Returns the names of the columns of a CSV file, and its rows of cells."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        text = file.read()
    comma = "\t" if path.lower().endswith(".tsv") else chr(options.get("Comma") or ord(","))
    if comma == " " or re.search("\r(?!\n)", text) or text[:5].lower().strip('"').startswith("sep="):
        raise ValueError("score.py reads no blanks as separators, no line ends CR and no line sep=")
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=comma, strict=True, skipinitialspace=comma != "\t"))
    while rows and not rows[-1]:
        rows.pop()
    rows = [[cell.strip() for cell in row] for row in rows if row or len(rows[0]) == 1]
    rows = [row for row in rows if row != [""] or len(rows[0]) == 1]
    while len(rows) > 1 and len(rows[0]) > 1 and all(len(row) == len(rows[0]) and row[-1] == "" for row in rows):
        rows = [row[:-1] for row in rows]
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]) or re.match(r"#(\s|$)", row[0]):
            raise ValueError("row %d is a comment or has %d cells, not %d" % (i, len(row), len(rows[0])))
        for cell in row:
            if any(unicodedata.category(c) == "Cc" or c in "\u2028\u2029" for c in cell):
                raise ValueError("row %d: score.py reads no control character in a cell: %r" % (i, cell))
    if len(rows) < 2:
        raise ValueError("the file has no rows below the names of the columns")
    return rows[0], rows[1:]


def table(e, path):
    """Returns the features, or the sequences, of the rows of a CSV file like the training file: see data.Encoding."""
    options = e["Options"]
    unread = [o for o in ("Comment", "SkipRows", "SkipFooter", "UnitLine", "Units", "NumberRepeatedNames") if options.get(o)]
    if unread:
        raise ValueError("score.py does not read files with data.Options." + unread[0])
    if e.get("UnnamedColumnCount") or e.get("HasRowNames") and options.get("KeepIndexColumn"):
        raise ValueError("score.py reads only tables with names of columns, and no names of rows as a feature")
    names, rows = read_cells(path, options)
    if names[0] in ("", "Unnamed: 0"):  # names of rows
        names[0] = None
    needed = [options["Sequence"]] if options.get("Sequence") else [c["Name"] for c in e["Columns"]]
    for name in needed:
        if names.count(name) != 1:
            raise ValueError("%d columns are named %r, which the training file has; give one" % (names.count(name), name))
    markers = options["MissingMarkers"]
    marked = {number(s, options) for s in markers} - {None}

    def read(column, number_of_row, cell):
        """Returns the features of a cell."""
        name, levels = column["Name"], column.get("Levels")
        place = "row %d, column %s: %r " % (number_of_row, name, cell)
        missing = cell in markers or not cell and markers or number(cell, options) in marked
        if missing and options.get("Missing", 0) != 2:  # not Fill
            raise ValueError(place + "is missing; leave the row out, or learn with data.Options.Missing: Fill")
        if levels:
            known = [float(cell == level and not missing) for level in levels]
            return known + ([float(bool(missing))] if column.get("HasMissingLevel") else [])
        if missing:
            return [float(column.get("Mean", 0))]
        layout = json.loads(options.get("Dates") or "{}").get(name)
        v = date(cell, layout) if layout else number(cell, options)
        if v is None:
            raise ValueError(place + ("is not a date of the layout " + layout if layout else "is not a number"))
        return [v]

    if options.get("Sequence"):
        cells = [row[names.index(needed[0])] for row in rows]
        for i, s in enumerate(cells):
            if not re.fullmatch("[A-Za-z*]+", s) or s in markers:
                raise ValueError("row %d: %r is not a sequence of letters" % (i + 1, s))
        return [s.upper() for s in cells]
    x = np.array([[v for c in e["Columns"] for v in read(c, i + 1, row[names.index(c["Name"])])]
                  for i, row in enumerate(rows)])
    return x[:, e["Keep"]] if e.get("Keep") else x


def array(path):
    """Returns a matrix of the numbers that numpy.save wrote."""
    a = np.load(path)
    if not isinstance(a, np.ndarray) or a.dtype.kind not in "biuf" or a.ndim not in (1, 2):
        raise ValueError(path + " is not one matrix of numbers")
    a = a.astype(float).reshape(len(a), -1)
    if not (np.isfinite(a) & (abs(a) <= 1e100)).all():
        raise ValueError(path + " has a number that is not finite, or outside the range of numbers, ±1e100")
    return a


def load(m, paths):
    """Returns the new points of files: features, sequences, or the kernel values of each kernel."""
    e = m.get("Input") or {}
    if e.get("Parts"):
        raise ValueError("score.py does not read joined files (data.Join)")
    suffix, what = paths[0].lower().split(".")[-1], e.get("Options", {}).get("Format", 0)
    if what == 1 and suffix in ("csv", "tsv", "txt", "dat", "data"):  # data.CSV
        z = table(e, paths[0])
    elif suffix == "txt":
        with open(paths[0], encoding="ascii") as file:
            z = [line.strip().upper() for line in file]
    elif suffix == "npy" and m["X"]["type"].endswith("points.Indices"):
        z = kernel_rows(m, paths)
    elif suffix == "npy" and what in (0, 4):  # data.Auto, data.NPY
        z = array(paths[0])
        if ((z != 0) & (abs(z) < 1e-100)).any():
            raise ValueError("a number is closer to 0 than 1e-100; write 0")
        if e.get("Label") and z.shape[1] == e["FeatureCount"] + 1:
            z = z[:, :-1]
        if e.get("Keep"):
            z = z[:, e["Keep"]]
    else:
        raise ValueError("score.py reads CSV files, NPY files and lines of sequences, in the format of the training file")
    return z


def distinctive_words(names):
    """Returns the words of each name, without those that all names have: see data.OpenGrams."""
    words = [re.findall(r"[^\W_]+", name.lower()) for name in names]
    return [" ".join(w for w in own if not all(w in other for other in words)) for own in words]


def kernel_rows(m, paths):
    """Returns the values of each kernel between the new points and the training points, by the name of the kernel."""
    _, f = kind(m["Family"])
    kernels = [kind(k)[1] for k in (f if isinstance(f, list) else f["Kernels"])]
    names = list(dict.fromkeys(k.get("KernelRowsName") or k.get("Name", "") for k in kernels))
    names = (m.get("Input") or {}).get("Grams") or names
    told, wanted = (distinctive_words(v) for v in ([os.path.basename(p).rsplit(".", 1)[0] for p in paths], names))
    if sorted(told) == sorted(set(wanted)):  # the names of the files tell which matrix each belongs to
        paths = [paths[told.index(words)] for words in wanted]
    arrays = [array(p) for p in paths]
    if len(arrays) != len(names) or any(a.shape != (len(arrays[0]), kernels[0]["N"]) for a in arrays):
        raise ValueError("pass %d matrices of new points by %d training points" % (len(names), kernels[0]["N"]))
    return {name: np.where(abs(a) < 1e-100, 0, a) for name, a in zip(names, arrays)}


CHECKSUM = ',"sha256":"%s"}\n'  # the end of a model file: the checksum of the bytes before it


def main(path, *paths):
    with open(path, "rb") as file:
        raw = file.read()
    content = json.loads(raw.decode("utf-8"))
    if content["format"] != "mkl-model/1":
        raise ValueError("the format is " + content["format"])
    before = raw[:-len(CHECKSUM % ("0" * 64))]
    if raw != before + (CHECKSUM % hashlib.sha256(before).hexdigest()).encode():
        raise ValueError("the model file was damaged or edited: its checksum differs")
    m = content["model"]
    z = load(m, paths)
    x = points(m["X"])
    if isinstance(x, np.ndarray) and x.ndim == 2 and z.shape[1] != x.shape[1]:
        raise ValueError("the new points have %d features, the training points %d" % (z.shape[1], x.shape[1]))
    values, classes, probabilities = predict(m, z)
    parts = [values] + ([probabilities] if probabilities is not None else [])
    if m.get("Intervals"):
        parts.append(intervals(m, z))
    if not all(np.isfinite(part).all() for part in parts):
        raise ValueError("a prediction is not finite")
    out = csv.writer(sys.stdout, lineterminator="\n")
    for i, row in enumerate(np.column_stack(parts)):
        out.writerow(([classes[i]] if classes else []) + [repr(float(v)) for v in row])


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except (OSError, ValueError, KeyError) as error:
        sys.exit("score.py: %r" % error)
