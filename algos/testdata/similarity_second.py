"""Reference values of the schema svm_family/1 for similarities and learned kernel matrices, at other sizes, by numpy and scipy alone:

    python3 similarity_second.py [seed] > golden/similarity_second.json

Machines and smooth duals are maximized by scipy's SLSQP and then by Newton steps on the free points; optima for L2 are found
over the distances t_i = ‖K−S_i‖, for L1 by extragradient steps in K, α and W, until a dual bound is within 1e-5.
"""
import json, sys
import numpy as np
from scipy.linalg import expm, logm
from scipy.optimize import minimize

SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 11
R = np.random.default_rng(SEED)
L = lambda x: np.asarray(x, float).tolist()
cases = []


def case(id, kind, input, expected, tol, note=""):
    cases.append(dict(id=id, kind=kind, input=input, expected=expected, tol=tol, note=note))


def similarities(n, m, noise):
    X = R.normal(size=(n, 2))
    y = np.where(X[:, 0] + 0.7 * X[:, 1] ** 2 + 0.3 * R.normal(size=n) > 0.4, 1.0, -1.0)
    y[:2] = 1, -1
    out = []
    for k in range(m):
        E = R.normal(size=(n, n))
        out.append(np.exp(-((X[:, None] - X[None]) ** 2).sum(2) / (1 + k)) + noise * (E + E.T) / 2)
    return out, y


def simplex(v, s):
    """The nearest point of the simplex, by bisection."""
    a, b = v.min() - s, v.max()
    for _ in range(70):
        t = (a + b) / 2
        a, b = (t, b) if np.maximum(v - t, 0).sum() > s else (a, t)
    u = np.maximum(v - b, 0)
    return u / u.sum() * s


def projected(X, tau):
    l, V = np.linalg.eigh((X + X.T) / 2)
    return (V * (np.maximum(l, 0) if tau is None else simplex(l, tau))) @ V.T


def ascend(f, y, C, a0):
    """The maximizer over 0 ≤ a ≤ C, yᵀa = 0 of a concave f that returns value and gradient."""
    n, best = len(y), None
    for start in (a0, np.full(n, C / 2) * 0):
        r = minimize(lambda a: -f(a)[0], start, jac=lambda a: -f(a)[1], bounds=[(0, C)] * n,
                     constraints=[dict(type="eq", fun=lambda a: y @ a, jac=lambda a: y)], method="SLSQP", options=dict(ftol=1e-16, maxiter=3000))
        a = np.clip(r.x, 0, C)
        if best is None or f(a)[0] > f(best)[0]:
            best = a
    a = best
    for _ in range(60):  # Newton on the free points, by differences of the gradient
        free = (a > 1e-7 * C) & (a < C * (1 - 1e-7))
        k = free.sum()
        if k < 2:
            break
        g, h = f(a)[1], 1e-6
        H = np.zeros((k, k))
        for i, j in enumerate(np.flatnonzero(free)):
            e = np.zeros(n)
            e[j] = h
            H[:, i] = ((f(a + e)[1] - f(a - e)[1]) / (2 * h))[free]
        H = (H + H.T) / 2 - 1e-10 * np.eye(k)
        M = np.block([[H, y[free][:, None]], [y[free][None], np.zeros((1, 1))]])
        d = np.linalg.lstsq(M, np.r_[-g[free], -(y @ a)], rcond=1e-13)[0][:k]
        b = a.copy()
        b[free] += d
        b = np.clip(b, 0, C)
        if abs(y @ b) > 1e-9 or f(b)[0] < f(a)[0] - 1e-14 * abs(f(a)[0]) or np.abs(b - a).max() < 1e-15:
            break
        a = b
    return a


def machine(K, y, C):
    """ω(K), α, and a bound of ω(K) from above."""
    def f(a):
        w = a * y
        return a.sum() - w @ K @ w / 2, 1 - y * (K @ w)
    a = ascend(f, y, C, np.zeros(len(y)))
    w = a * y
    r = y - K @ w
    above = min(w @ K @ w / 2 + C * np.maximum(0, y * (r - b)).sum() for b in r)
    return f(a)[0], a, above


def smooth(c, rho, tau, y):
    """α ↦ 1ᵀα + min_K −½wᵀKw + ρ‖K−c‖², its gradient, the K."""
    def f(a):
        w = a * y
        K = projected(c + np.outer(w, w) / (4 * rho), tau)
        return a.sum() - w @ K @ w / 2 + rho * ((K - c) ** 2).sum(), 1 - y * (K @ w), K
    return f


def l3(S, y, C, rho, tau, a0=None):
    """min_K ω(K) + ρ‖K−S‖²: the dual value, K, α."""
    f = smooth(S, rho, tau, y)
    a = ascend(lambda a: f(a)[:2], y, C, np.zeros(len(y)) if a0 is None else a0)
    v, _, K = f(a)
    return v, K, a


def weighted(Ss, y, C, weights, tau):
    """The same for Σ v_i‖K−S_i‖²."""
    v = sum(weights)
    c = sum(u * S for u, S in zip(weights, Ss)) / v
    d, K, a = l3(c, y, C, v, tau)
    return d + sum(u * ((S - c) ** 2).sum() for u, S in zip(weights, Ss)), K, a


def l2(Ss, y, C, rho, tau):
    """Σ ρ‖K−S_i‖ is the least over t of ρΣ(‖K−S_i‖²/2t_i + t_i/2): value from above, bound from below, K."""
    t = np.array([np.linalg.norm(projected(S, tau) - S) for S in Ss])
    for _ in range(60):
        _, K, a = weighted(Ss, y, C, rho / (2 * t), tau)
        s = np.array([np.linalg.norm(K - S) for S in Ss])
        if np.abs(s / t - 1).max() < 1e-12:
            break
        t = s
    w = a * y
    W = [rho * (K - S) / np.linalg.norm(K - S) for S in Ss]
    below = a.sum() - sum((V * S).sum() for V, S in zip(W, Ss)) + tau * np.linalg.eigvalsh(sum(W) - np.outer(w, w) / 2)[0]
    return machine(K, y, C)[2] + rho * sum(np.linalg.norm(K - S) for S in Ss), below, K


def box_plane(v, y, C):
    a, b = -np.abs(v).max() - C - 1, np.abs(v).max() + C + 1
    for _ in range(60):
        t = (a + b) / 2
        a, b = (t, b) if y @ np.clip(v - t * y, 0, C) > 0 else (a, t)
    return np.clip(v - (a + b) / 2 * y, 0, C)


def l1(Ss, y, C, rho, tau):
    n, m = len(y), len(Ss)
    K, a, W = np.eye(n) * tau / n, np.zeros(n), [np.zeros((n, n)) for _ in Ss]

    def slopes(K, a, W):
        w = a * y
        return sum(W) - np.outer(w, w) / 2, 1 - y * (K @ w), [K - S for S in Ss]

    eta, low, high, at = 0.5 / (tau + C * np.sqrt(2 * n) + m), -np.inf, np.inf, None
    for t in range(100000):
        g = slopes(K, a, W)
        Kh, ah, Wh = projected(K - eta * g[0], tau), box_plane(a + eta * g[1], y, C), [np.clip(V + eta * h, -rho, rho) for V, h in zip(W, g[2])]
        g = slopes(Kh, ah, Wh)
        K, a, W = projected(K - eta * g[0], tau), box_plane(a + eta * g[1], y, C), [np.clip(V + eta * h, -rho, rho) for V, h in zip(W, g[2])]
        if t % 5000 == 4999:
            w = ah * y
            low = max(low, ah.sum() - sum((V * S).sum() for V, S in zip(Wh, Ss)) + tau * np.linalg.eigvalsh(sum(Wh) - np.outer(w, w) / 2)[0])
            v = machine(Kh, y, C)[2] + rho * sum(np.abs(Kh - S).sum() for S in Ss)
            if v < high:
                high, at = v, Kh
            if high - low <= 1e-5 * abs(high):
                break
    return high, low, at


# repairs
for n, l in ((7, 3), (19, 5)):
    (A,), _ = similarities(n + l, 1, 0.8)
    S, T = A[:n, :n], A[n:, :n]
    v, V = np.linalg.eigh(S)
    out = dict(eigenvalues=L(v))
    for name, K, P in (("denoise", (V * np.maximum(v, 0)) @ V.T, (V * (v > 0)) @ V.T), ("flip", (V * abs(v)) @ V.T, (V * np.sign(v)) @ V.T),
                       ("shift", S - min(v[0], 0) * np.eye(n), np.eye(n))):
        out[name] = dict(K_row0=L(K[0]), trace=float(np.trace(K)), test_rows=L(T @ P.T))
    tau = float(n)
    K = projected(S, tau)
    out["linear_map_spectahedron"] = dict(tau=tau, K_row0=L(K[0]), trace=float(np.trace(K)), test_rows=L(T @ np.linalg.solve(S, K)))
    case("second-repairs-%d" % n, "eigen_transforms", dict(S=L(S), test_similarities=L(T)), out, dict(all=1e-8))

# one similarity, L3
for n, C, rho, tau in ((9, 1.0, 0.15, None), (9, 1.0, 0.15, 9.0), (21, 0.7, 1.3, None), (21, 0.7, 1.3, 30.0)):
    (S,), y = similarities(n, 1, 0.6)
    v, K, a = l3(S, y, C, rho, tau)
    above = machine(K, y, C)[2] + rho * ((K - S) ** 2).sum()
    assert above - v <= 1e-6 * above, (n, v, above)
    head = dict(S=L(S), y=L(y), C=C, rho=rho)
    if tau:
        head["tau"] = tau
    case("second-l3-%d-%s" % (n, tau), "eskl_single_L3" if tau else "indsvm", head,
         dict(objective=v, upper_bound=above, K_row0=L(K[0]), K_eigenvalues=L(np.linalg.eigvalsh(K))), dict(objective=2e-6, K_row0=1e-3, K_eigenvalues=1e-3))
    a = box_plane(R.uniform(0, C, n), y, C)
    v, g, K = smooth(S, rho, tau, y)(a)
    case("second-dual-%d-%s" % (n, tau), "indsvm_dual_function", dict(S=L(S), y=L(y), C=C, rho=rho, alpha=L(a), tau=tau),
         dict(value=v, gradient=L(g), Kstar_eigenvalues=L(np.linalg.eigvalsh(K))), dict(value=1e-9, gradient=1e-9, Kstar_eigenvalues=1e-9))

# several, all distances
for n, m, C, rho, tau in ((6, 1, 1.2, 0.3, 6.0), (7, 3, 0.8, 0.15, 10.0)):
    Ss, y = similarities(n, m, 0.7)
    head = dict(S=[L(S) for S in Ss], y=L(y), C=C, rho=rho, tau=tau)
    for name in ("L1", "L2", "L3"):
        if name == "L3":
            low, K, _ = weighted(Ss, y, C, [rho] * m, tau)
            high = machine(K, y, C)[2] + rho * sum(((K - S) ** 2).sum() for S in Ss)
        else:
            high, low, K = (l1 if name == "L1" else l2)(Ss, y, C, rho, tau)
        print(name, n, low, high, (high - low) / high, file=sys.stderr, flush=True)
        close = 2e-5 if name == "L1" else 1e-6
        assert high - low <= close * high
        case("second-%s-%d" % (name, n), "eskl_optimum", dict(head, loss=name), dict(objective=high, dual=low, K_eigenvalues=[L(np.linalg.eigvalsh(K))]),
             dict(objective_rel_upper=0.005, objective_rel_lower=close, certified_gap_rel=0.05, iterations_enough=6000))
        A = R.normal(size=(n, n))
        K = A @ A.T + 0.3 * np.eye(n)
        K *= tau / np.trace(K)
        omega, a, above = machine(K, y, C)
        assert above - omega < 1e-9 * above, above - omega
        w = a * y
        G, f = -np.outer(w, w) / 2, omega
        for S in Ss:
            X = K - S
            f += rho * dict(L1=np.abs(X).sum(), L2=np.linalg.norm(X), L3=(X * X).sum())[name]
            G = G + rho * dict(L1=np.sign(X), L2=X / np.linalg.norm(X), L3=2 * X)[name]
        eta = 0.07
        T = expm(logm(K) - eta * G).real
        T *= tau / np.trace(T)
        d, V = np.linalg.eigh(G)
        l = np.linalg.eigvalsh(K) * np.exp(-eta * (d - d[0]))
        l *= tau / l.sum()
        P = (V * l) @ V.T
        case("second-step-%s-%d" % (name, n), "eskl_subgradient_step", dict(head, loss=name, K=L(K), eta=eta),
             dict(objective=f, omega=omega, alpha=L(a), subgradient=L(G), true_step_K=L(T), true_step_eigenvalues=L(np.linalg.eigvalsh(T)),
                  printed_step_eigenvalues_ascending_pairing=L(np.sort(l)), printed_step_K_row0=L(P[0]),
                  lower_bound_single_cut=f - (G * K).sum() + tau * d[0]),
             dict(objective=1e-8, alpha=1e-6, subgradient=1e-6, true_step_K=1e-6))

json.dump(dict(schema="svm_family/1", cases=cases), sys.stdout)
