"""Second reference values for several matrices under a block norm: Omega (10), EMKL (6) and REKL (7) of Kundu et al., other sizes than
those of svm_family.json. All are conic programs for a general solver: nothing is shared with the library.

    pip install numpy==2.4.6 cvxpy==1.9.3 clarabel==0.11.1
    python blocks_second.py > golden/blocks_second.json
"""
import json

import cvxpy as cp
import numpy as np

rng = np.random.default_rng(20)
cases = []


def case(id, kind, input, expected, tol, note=""):
    cases.append(dict(id=id, kind=kind, input=input, expected=expected, tol=tol, note=note))


def solve(objective, constraints):
    p = cp.Problem(objective, constraints)
    for tol in (1e-8, 1e-7, 1e-6):
        p.solve(solver=cp.CLARABEL, tol_gap_abs=tol, tol_gap_rel=tol, tol_feas=tol, max_iter=500)
        if p.status == cp.OPTIMAL:
            return p.value
    raise ArithmeticError(p.status)


def root(K):
    l, V = np.linalg.eigh(K)
    return (V * np.sqrt(np.maximum(l, 0))).T


def omega(Ks, y, C):
    """max 1'a - 1/2 (sum_i |R_i w|)^2 with K_i = R_i'R_i, w = ya: a second-order cone program."""
    n = len(y)
    a, t = cp.Variable(n), cp.Variable(len(Ks))
    w = cp.multiply(y, a)
    value = solve(cp.Maximize(cp.sum(a) - cp.square(cp.sum(t)) / 2),
                  [a >= 0, a <= C, y @ a == 0] + [cp.norm(root(K) @ w) <= t[i] for i, K in enumerate(Ks)])
    w = y * a.value
    q = np.array([w @ K @ w for K in Ks])
    gamma = np.sqrt(q) / np.sqrt(q).sum()
    f = sum(K / g for K, g in zip(Ks, gamma)) @ w
    free = (a.value > 1e-5 * C) & (a.value < (1 - 1e-5) * C)
    assert free.any()
    return value, a.value, w, q, gamma, np.mean((y - f)[free])


def machine(blocks, y, C):
    """1/2 s + C sum(xi) and the constraints that make it Omega of the matrices blocks, which may be variables."""
    n = len(y)
    s, xi, slack, beta = cp.Variable(), cp.Variable(n), cp.Variable(n), cp.Variable()
    Y = np.diag(y)
    constraints, total = [xi >= 0, slack >= 0], 0
    for K in blocks:
        z = cp.Variable((n, 1))
        M = cp.Variable((n + 1, n + 1), PSD=True)
        constraints += [M[:n, :n] == Y @ K @ Y, M[:n, n:] == z, M[n, n] == s]
        total = total + z[:, 0]
    return s / 2 + C * cp.sum(xi), constraints + [total == 1 + slack - xi + beta * y]


def distance(x, kind):
    return {"L1": cp.sum(cp.abs(x)), "L2": cp.norm(x, 2) if x.ndim == 1 else cp.norm(x, "fro"), "L3": cp.sum_squares(x)}[kind]


def similarities(m, y):
    n, out = len(y), []
    for _ in range(m):
        E = rng.standard_normal((n, n))
        S = 0.3 * np.outer(y, y) + (E + E.T) / 2 + np.eye(n)
        assert np.linalg.eigvalsh(S)[0] < 0
        out.append(S)
    return out


def labels(n):
    y = np.where(np.arange(n) % 3 == 0, -1.0, 1.0)
    return y


def L(x):
    return np.asarray(x).tolist()


for n, m, C in ((25, 2, 1.0), (16, 5, 4.0)):
    y = labels(n)
    X = rng.standard_normal((n, 3)) + 0.5 * y[:, None]
    gammas = rng.uniform(0.1, 1, (m, 3))
    D = (X[:, None, :] - X[None, :, :]) ** 2
    Ks = [1.5 * np.exp(-D @ g) for g in gammas]
    value, a, w, q, gamma, bias = omega(Ks, y, C)
    b, s, x = cp.Variable(m), cp.Variable(), cp.Variable(n)  # (5): max 1'a - 1/2 max_i w'K_iw
    sparse = solve(cp.Maximize(cp.sum(x) - s / 2), [x >= 0, x <= C, y @ x == 0] +
                   [cp.sum_squares(root(K) @ cp.multiply(y, x)) <= s for K in Ks])
    case("omega-%dx%d" % (n, m), "omega_mkl", dict(X=L(X), y=L(y), C=C, scale=1.5, kernel_gammas=L(gammas)),
         dict(omega=value, gamma=L(gamma), alpha=L(a), bias=bias, q=L(q), grad_coeff=L(-1 / (2 * gamma)), omega5_l1_mkl=sparse),
         dict(omega=1e-6, gamma=1e-4, alpha=1e-3, bias=1e-3, q=1e-3, omega5_l1_mkl=1e-6))

optimum = dict(objective_rel_upper=0.005, objective_rel_lower=1e-5, certified_gap_rel=0.05)
for n, m, kind, C, rho in ((6, 3, "L2", 1.0, 0.4), (10, 2, "L3", 2.0, 0.1), (7, 2, "L1", 1.0, 0.1)):
    y = labels(n)
    S, tau = similarities(m, y), 1.2 * n
    Ks = [cp.Variable((n, n), PSD=True) for _ in S]
    f, constraints = machine(Ks, y, C)
    for K, s in zip(Ks, S):
        f = f + rho * distance(K - s, kind)
    value = solve(cp.Minimize(f), constraints + [cp.trace(K) == tau for K in Ks])
    tol = dict(optimum, objective_rel_upper=0.02) if kind == "L1" else optimum
    case("emkl-%s-%dx%d" % (kind, n, m), "emkl_optimum", dict(S=[L(s) for s in S], y=L(y), C=C, rho=rho, tau=tau, loss=kind), dict(objective=value), tol)

for n, m, kind, C, rho in ((9, 3, "L2", 1.0, 0.4), (12, 2, "L3", 2.0, 0.1)):
    y = labels(n)
    S, tau = similarities(m, y), 1.2 * n
    E = [np.linalg.eigh(s) for s in S]
    mus = [cp.Variable(n, nonneg=True) for _ in S]
    f, constraints = machine([V @ cp.diag(mu) @ V.T for mu, (_, V) in zip(mus, E)], y, C)
    for mu, (l, _) in zip(mus, E):
        f = f + rho * distance(mu - l, kind)
    value = solve(cp.Minimize(f), constraints + [cp.sum(mu) == tau for mu in mus])
    input = dict(S=[L(s) for s in S], y=L(y), C=C, rho=rho, tau=tau, loss=kind)
    case("rekl-%s-%dx%d" % (kind, n, m), "rekl_optimum", input, dict(objective=value), optimum)
    at = rng.uniform(0.2, 1, (m, n))
    at *= tau / at.sum(1, keepdims=True)
    inner, _, w, q, gamma, _ = omega([(V * mu) @ V.T for mu, (_, V) in zip(at, E)], y, C)
    objective, gradient = inner, []
    for mu, (l, V), g in zip(at, E, gamma):
        d = mu - l
        size = np.linalg.norm(d)
        objective += rho * (size if kind == "L2" else size * size)
        gradient.append(-(V.T @ w) ** 2 / (2 * g) + rho * (d / size if kind == "L2" else 2 * d))
    case("rekl-gradient-%s-%dx%d" % (kind, n, m), "rekl_gradient", dict(input, mu=L(at)),
         dict(objective=objective, omega=inner, gamma=L(gamma), gradient=L(gradient)), dict(objective=1e-6, omega=1e-6, gamma=1e-4, gradient=1e-3))

print(json.dumps(dict(schema="svm_family/1", cases=cases), indent=1))
