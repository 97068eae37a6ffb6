"""Reference values of the schema svm_family/1 at other sizes than svm_family.json, of the kinds pkl_value_gradient,
qnpkl_first_step, pkl_local_minimum, gmkl_product_l1 and simplemkl, by numpy and scipy alone:

    python3 pkl_second.py [seed] > golden/pkl_second.json

Support vector machines: an interior-point method, then the linear system of the active set, whose optimality
conditions are verified. Gradients are verified by differences. Local minima are those of scipy's L-BFGS-B, verified
by their projected gradient and by a second run from near the start, which must end at the same value.
Weights of sums: SLSQP, polished as roots of the optimality conditions, verified by the duality gap.
"""
import json, sys
import numpy as np
from scipy.optimize import minimize, root

SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 3
R = np.random.default_rng(SEED)
out = []


def svm(K, y, C):
    """max 1'a - a'Qa/2, 0 <= a <= C, y'a = 0: value, a, bias."""
    n = len(y)
    Q = y[:, None] * K * y[None, :]
    a, l, u, b, e = np.full(n, C / 2), np.ones(n), np.ones(n), 0., np.ones(n)
    p = y > 0
    a[p] *= min(1, (~p).sum() / p.sum()); a[~p] *= min(1, p.sum() / (~p).sum())
    for _ in range(200):  # Qa - 1 + by - l + u = 0, y'a = 0, l a = m, u (C-a) = m
        m = (l @ a + u @ (C - a)) / (2 * n) * .1
        if m < 1e-14: break
        rd, rp = Q @ a - e + b * y - l + u, y @ a
        D = l / a + u / (C - a)
        rhs = -rd + m / a - l - m / (C - a) + u
        M = np.block([[Q + np.diag(D), y[:, None]], [y[None, :], np.zeros((1, 1))]])
        s = np.linalg.solve(M, np.r_[rhs, -rp]); da, db = s[:n], s[n]
        dl, du = (m - l * da) / a - l, (m + u * da) / (C - a) - u
        t = 1.
        for v, dv in ((a, da), (C - a, -da), (l, dl), (u, du)):
            if (dv < 0).any(): t = min(t, .99 * (-v[dv < 0] / dv[dv < 0]).min())
        a, b, l, u = a + t * da, b + t * db, l + t * dl, u + t * du
    free, top = (l < a) & (u < C - a), u >= C - a
    for _ in range(100):  # the active set: its linear system, one index changed at a time
        f = np.where(free)[0]
        r = 1 - C * Q[np.ix_(f, np.where(top)[0])].sum(1)
        M = np.block([[Q[np.ix_(f, f)], y[f, None]], [y[None, f], np.zeros((1, 1))]])
        s = np.linalg.solve(M, np.r_[r, -C * y[top].sum()])
        a = np.where(top, C, 0.); a[f] = s[:-1]; b = s[-1]
        g = Q @ a - 1 + b * y
        bad = np.where(free, np.maximum(-a, a - C), np.where(top, g, -g))
        i = bad.argmax()
        if bad[i] <= 1e-11 * max(1, C): break
        if free[i]: free[i], top[i] = False, a[i] > C
        else: free[i], top[i] = True, False
    else: raise RuntimeError('svm: active set')
    if abs(y @ a) > 1e-9 * C or free.sum() == 0: raise RuntimeError('svm')
    return a.sum() - a @ Q @ a / 2, a, b


def gauss(X, g): return np.exp(-np.einsum('m,ijm->ij', g, (X[:, None] - X[None]) ** 2))


def J(X, y, C, g):
    D = (X[:, None] - X[None]) ** 2
    K = gauss(X, g)
    f, a, b = svm(K, y, C)
    A = y * a
    return f, .5 * np.einsum('i,ijm,ij,j->m', A, D, K, A), a, b


def differences(F, x, h=1e-5):
    I = np.eye(len(x))
    return np.array([(8 * (F(x + h * i) - F(x - h * i)) - F(x + 2 * h * i) + F(x - 2 * h * i)) / (12 * h) for i in I])


def points(n, m, share=.5, shift=.8):
    X = R.normal(size=(n, m)); y = np.where(np.arange(n) < share * n, 1., -1.)
    X[:, 0] += shift * y; X[:, 1] += .6 * np.abs(X[:, 0]) * y
    q = R.permutation(n)
    return np.round(X, 3)[q], y[q]


L = lambda v: np.asarray(v).tolist()
SVM = dict(objective=1e-8, alpha=1e-6, bias=1e-6, gradient=1e-6, hessian_lambda=1e-6, K_row0=1e-12)


def value_gradient(name, n, m, C, g, **how):
    X, y = points(n, m, **how); g = np.array(g)
    f, d, a, b = J(X, y, C, g)
    fd = differences(lambda z: J(X, y, C, z)[0], np.maximum(g, 1e-3)) if (g > 0).all() else None
    if fd is not None and abs(fd - d).max() > 1e-4 * abs(d).max(): raise RuntimeError(f'{name}: {fd} {d}')
    A, D, K = y * a, (X[:, None] - X[None]) ** 2, gauss(X, g)
    H = -.5 * np.einsum('i,ijk,ijl,ij,j->kl', A, D, D, K, A)
    out.append(dict(id=name, kind='pkl_value_gradient', input=dict(X=L(X), y=L(y), C=C, gamma=L(g)), tol=SVM,
                    expected=dict(objective=f, alpha=L(a), bias=b, gradient=L(d), direction_p=L(-d), hessian_lambda=L(H),
                                  hessian_lambda_eig=L(np.linalg.eigvalsh(H)), K_row0=L(K[0]))))


def first_step(name, n, m, C, b1):
    X, y = points(n, m); g1 = np.full(m, 1 / m)
    f1, d1, _, _ = J(X, y, C, g1); p1 = -d1
    g2 = g1 + b1 * p1
    f2, d2, _, _ = J(X, y, C, g2); p2 = -d2
    if f2 >= f1 or (g2 < 0).any(): raise RuntimeError(f'{name}: the first trial is not accepted')
    B = (g2 - g1) / (p2 - p1)  # (7)
    out.append(dict(id=name, kind='qnpkl_first_step', input=dict(X=L(X), y=L(y), C=C, b1=b1, delta0=1.), tol=dict(all=1e-5),
                    expected=dict(gamma1=L(g1), cost1=f1, p1=L(p1), gamma2=L(g2), cost2=f2, p2=L(p2), B2_printed=L(B), B2_corrected=L(-B))))


def minimum(name, n, m, C, sigma=0., **how):
    """Points are drawn until both runs end at the same value."""
    g0 = np.full(m, 1 / m)
    for _ in range(20):
        X, y = points(n, m, **how)
        def F(g):
            f, d, _, _ = J(X, y, C, g)
            return f + sigma * g.sum(), d + sigma
        ends = []
        for start in (g0, g0 * R.uniform(.7, 1.3, m)):
            z = minimize(F, start, jac=True, bounds=[(0, None)] * m, method='L-BFGS-B', options=dict(ftol=1e-15, gtol=1e-9, maxiter=3000, maxcor=20)).x
            f, d = F(z)
            slope = np.abs(np.where(z > 0, d * z, np.minimum(d, 0) * g0)).max() / f
            print(f'{name}: end {f:.8g}, gamma {np.round(z, 4)}, relative slope {slope:.1e}', file=sys.stderr)
            ends.append((f, z, slope))
        if max(e[2] for e in ends) <= 1e-5 and abs(ends[0][0] - ends[1][0]) <= 1e-6 * f: break
    else: raise RuntimeError(name)
    f, z, _ = ends[0]
    out.append(dict(id=name, kind='gmkl_product_l1' if sigma else 'pkl_local_minimum', tol=dict(objective_rel_not_above=1e-3),
                    input=dict(X=L(X), y=L(y), C=C, gamma0=L(g0), **(dict(sigma=sigma) if sigma else {})), expected=dict(objective=f, gamma=L(z))))


def simplemkl(name, n, m, C, widths, **how):
    X, y = points(n, m, **how)
    Ks = np.array([np.exp(-w * (X[:, i, None] - X[None, :, i]) ** 2) for i in range(m) for w in widths])
    def Jd(d):
        f, a, _ = svm(np.tensordot(d, Ks, 1), y, C)
        A = y * a
        return f, np.einsum('i,kij,j->k', A, Ks, A)
    M = len(Ks)
    r = minimize(lambda d: Jd(d)[0], np.full(M, 1 / M), jac=lambda d: -.5 * Jd(d)[1], bounds=[(0, 1)] * M, method='SLSQP',
                 constraints=dict(type='eq', fun=lambda d: d.sum() - 1, jac=lambda d: np.ones(M)), options=dict(ftol=1e-14, maxiter=500))
    S = r.x > 1e-5
    def full(z): d = np.zeros(M); d[S] = z; return d
    def kkt(z):
        q = Jd(full(z[:-1]))[1][S]
        return np.r_[q / z[-1] - 1, z[:-1].sum() - 1]
    z = root(kkt, np.r_[r.x[S], Jd(r.x)[1][S].mean()], tol=1e-13).x
    d = full(z[:-1]); f, q = Jd(d)
    gap = (q.max() - d @ q) / 2
    print(f'{name}: J {f:.8g}, gap {gap:.1e}, {S.sum()} of {M} kernels', file=sys.stderr)
    if gap > 1e-8 * f or (d < 0).any() or abs(d.sum() - 1) > 1e-10: raise RuntimeError(name)
    out.append(dict(id=name, kind='simplemkl', input=dict(X=L(X), y=L(y), C=C, widths=L(widths)), tol=dict(objective=1e-6, d=1e-3),
                    expected=dict(objective=f, d=L(d), duality_gap=gap, q=L(q))))


value_gradient('pkl-25', 25, 2, 3., [.4, 1.1])
value_gradient('pkl-61', 61, 7, 20., [.02, .5, .11, .3, .07, .9, .2])
value_gradient('pkl-unbalanced', 48, 5, .7, [.3, .2, .1, .4, .6], share=.25)
value_gradient('pkl-some-zero', 37, 6, 5., [.6, 0., .3, 0., 0., .2])
first_step('qn-first-55', 55, 6, 2., .002)
first_step('qn-first-24', 24, 2, 8., .001)
minimum('pkl-min-60', 60, 5, 3.)
minimum('pkl-min-28', 28, 3, 1., share=.4)
minimum('gmkl-52', 52, 6, 10., sigma=2.5)
minimum('gmkl-35', 35, 2, 4., sigma=.3, share=.3)
simplemkl('mkl-33', 33, 5, 2., [.2, 4.])
simplemkl('mkl-62', 62, 3, 15., [.1, 1., 8.], share=.35)
json.dump(dict(schema='svm_family/1', about=f'pkl_second.py, seed {SEED}', cases=out), sys.stdout)
print()
