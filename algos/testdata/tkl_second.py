"""Reference values of the schema of tkl.json, version 1, at other sizes, by numpy and scipy alone:

    python3 tkl_second.py [seed] > golden/tkl_second.json

Kernels and gradients are integrals by Gauss–Legendre quadrature on the cells into which the points cut the box, of the
definition k(x,y) = ∫ N(z,x)ᵀ P N(z,y) dz: no closed form. Support vector machines are active sets, from scipy's SLSQP.
The optimum is sought among the mixtures of vertices tr·vvᵀ met so far, one more at a time, until it is within 1e-8 of
the bound D(alpha) − tr·λ_max(D_w)/2.
"""
import itertools, json, sys
import numpy as np
from scipy.optimize import brentq, minimize

SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 7
R = np.random.default_rng(SEED)
L = lambda x: np.asarray(x, float).tolist()
I = lambda x: np.asarray(x, int).tolist()


def exponents(n, d, basis):
    v = n if basis == 'x' else 2 * n
    e = [t for k in range(d + 1) for t in sorted((t for t in itertools.product(range(d + 1), repeat=v) if sum(t) == k), reverse=True)]
    e = np.array(e).reshape(len(e), v)
    return e[:, :n], e[:, n:] if basis == 'full' else np.zeros((len(e), n), int)


def features(X, a, b, d, basis, variant, delta, gamma):
    """N(z_g, x_i)·√weight_g at the nodes of a quadrature that is exact on the cells cut by all points X: len(X)×G×2q."""
    n = X.shape[1]
    nodes, weights = np.polynomial.legendre.leggauss(d + 1)
    axes = []
    for j in range(n):
        cuts = np.unique(np.clip(np.concatenate([[a[j], b[j]], X[:, j]]), a[j], b[j]))
        mid, half = (cuts[1:] + cuts[:-1]) / 2, (cuts[1:] - cuts[:-1]) / 2
        axes.append(((mid[:, None] + half[:, None] * nodes).ravel(), (half[:, None] * weights).ravel()))
    Z = np.stack([g.ravel() for g in np.meshgrid(*[z for z, _ in axes], indexing='ij')], 1)
    w = np.prod(np.stack([g.ravel() for g in np.meshgrid(*[w for _, w in axes], indexing='ij')], 1), 1)
    out = np.zeros((len(X), len(Z), 2 * len(delta)))
    zg = np.prod(Z[:, None, :] ** gamma, 2)
    for i, x in enumerate(X):
        up = np.all(Z >= x, 1)
        down = ~up if variant == 'complement' else np.all(Z <= x, 1)
        m = zg * np.prod(x ** delta, 1)
        out[i] = np.hstack([m * up[:, None], m * down[:, None]]) * np.sqrt(w)[:, None]
    return out


class Data:
    """All that a case needs of N at X: T[i, j] = ∫ N(z,x_i) N(z,x_j)ᵀ, so K_ij = ⟨P, T_ij⟩ and D = Σ w_iw_jT_ij."""
    def __init__(s, n, d, basis, variant, a, b, X):
        s.delta, s.gamma = exponents(n, d, basis)
        N = features(X, a, b, d, basis, variant, s.delta, s.gamma)
        s.T = np.einsum('iga,jgb->ijab', N, N, optimize=True)
        s.q = len(s.delta)
        s.head = dict(n=n, d=d, basis=basis, q=s.q, delta=I(s.delta), gamma=I(s.gamma), variant=variant, a=L(a), b=L(b))
    def K(s, P): k = np.einsum('ijab,ab->ij', s.T, P); return (k + k.T) / 2
    def D(s, w): m = np.einsum('i,ijab,j->ab', w, s.T[:len(w), :len(w)], w); return (m + m.T) / 2


def qp(Q, c, lo, hi, u):
    """min ½xᵀQx − cᵀx, lo ≤ x ≤ hi, uᵀx = 0: SLSQP's guess, then an active set; x and the multiplier b of uᵀx."""
    x = minimize(lambda x: x @ Q @ x / 2 - c @ x, np.clip(np.zeros(len(c)), lo, hi), jac=lambda x: Q @ x - c, bounds=list(zip(lo, hi)),
                 constraints=[dict(type='eq', fun=lambda x: u @ x, jac=lambda x: u)], method='SLSQP', options=dict(ftol=1e-15, maxiter=2000)).x
    top = (hi - lo).max()
    at = np.where(x - lo < 1e-5 * top, -1, np.where(hi - x < 1e-5 * top, 1, 0))
    for _ in range(500):
        f = at == 0
        x = np.where(at < 0, lo, np.where(at > 0, hi, 0.))
        M = np.block([[Q[np.ix_(f, f)], u[f][:, None]], [u[f][None, :], np.zeros((1, 1))]])
        r = np.linalg.lstsq(M, np.concatenate([c[f] - Q[np.ix_(f, ~f)] @ x[~f], [-u[~f] @ x[~f]]]), rcond=1e-14)[0]
        x[f], b = r[:-1], r[-1]
        low, high = np.where(f, lo - x, 0), np.where(f, x - hi, 0)
        g = Q @ x - c + b * u  # 0 where free, ≥ 0 below, ≤ 0 above
        bad = np.where(at < 0, -g, np.where(at > 0, g, 0))
        if max(low.max(), high.max()) > 1e-11 * top:
            k = np.argmax(np.maximum(low, high)); at[k] = -1 if low[k] > high[k] else 1
        elif bad.max() > 1e-10 * max(1, np.abs(c).max()):
            at[np.argmax(bad)] = 0
        else:
            return x, b
    raise SystemExit('no active set')


class Machine:
    """The dual of a task: value D(w) − ½wᵀKw, w = Bx."""
    def __init__(s, task, y, C, eps):
        n = len(y)
        if task == 'classification': s.B, s.c, s.hi, s.u = np.diag(y), np.ones(n), np.full(n, C), y
        else: s.B, s.c, s.hi, s.u = np.hstack([np.eye(n), -np.eye(n)]), np.concatenate([y - eps, -y - eps]), np.full(2 * n, C), np.concatenate([np.ones(n), -np.ones(n)])
        s.task, s.y, s.x = task, y, None
    def solve(s, K):
        x, b = qp(s.B.T @ K @ s.B, s.c, 0 * s.hi, s.hi, s.u)
        w = s.B @ x
        return w, b, s.c @ x, s.c @ x - w @ K @ w / 2
    def alpha(s, w): return w * s.y if s.task == 'classification' else w


def vertex(D, tr):
    l, v = np.linalg.eigh(D)
    return l, tr * np.outer(v[:, -1], v[:, -1])


out = dict(version=1, kernel=[], gradient=[], opt_p=[], opt_a=[], fw_path=[], optimum=[], projection=[], scaling=[], d0=[])
for n, d, basis, variant in [(1, 3, 'x', 'complement'), (1, 3, 'full', 'orthant'), (2, 3, 'x', 'complement'), (2, 3, 'x', 'orthant'), (2, 1, 'full', 'orthant'),
                             (2, 2, 'full', 'complement'), (3, 2, 'x', 'complement'), (3, 2, 'x', 'orthant'), (4, 1, 'x', 'complement'), (4, 1, 'x', 'orthant')]:
    a, b = np.round(R.uniform(-.4, -.1, n), 2), np.round(R.uniform(1.1, 1.5, n), 2)
    N = 3 if n == 4 else 4
    X = np.round(R.uniform(0, 1, (2 * N - 1, n)), 3)
    X[0, 0], X[-1, -1] = a[0] - .2, b[-1] + .3  # outside the box
    s = Data(n, d, basis, variant, a, b, X)
    A = R.normal(size=(2 * s.q, 2 * s.q)); P = np.round(A @ A.T / s.q, 3)
    K = np.einsum('ijab,ab->ij', s.T, P)
    out['kernel'].append(dict(s.head, name=f'second-k-n{n}-d{d}-{basis}-{variant}', P=L(P), X=L(X[:N]), Y=L(X[N:]), K=L(K[:N, N:])))

cases = [(1, 3, 'x', 'complement', 'classification', 17, 1.5), (2, 1, 'x', 'orthant', 'classification', 13, 3), (2, 1, 'x', 'complement', 'regression', 15, 1),
         (1, 2, 'full', 'complement', 'regression', 13, 4), (2, 2, 'x', 'complement', 'classification', 14, .7), (3, 1, 'x', 'complement', 'regression', 9, 2)]
for n, d, basis, variant, task, N, C in cases:
    a, b, eps = np.full(n, -.25), np.full(n, 1.3), .05
    X = np.round(R.uniform(0, 1, (N + 4, n)), 3)
    f = np.sin(5 * X[:, 0]) + (X[:, -1] - .4) * (n > 1) + .2 * R.normal(size=N + 4)
    y = np.round(f[:N], 2) if task == 'regression' else np.sign(f[:N] - np.median(f[:N]) + 1e-9)
    s = Data(n, d, basis, variant, a, b, X)
    tr, name = 2. * s.q, f'second-n{n}-d{d}-{basis}-{variant}-{task}'
    full = s.T; s.T = full[:N, :N]
    m = Machine(task, y, C, eps)
    P = np.eye(2 * s.q)
    w, bias, lin, F = m.solve(s.K(P))
    D = s.D(w); l, S = vertex(D, tr)
    head = dict(s.head, task=task, C=C, eps=eps, trace=tr, X=L(X[:N]), y=L(y))
    out['gradient'].append(dict(s.head, name='g-' + name, X=L(X[:N]), w=L(w), D=L(D)))
    if l[-1] - l[-2] > 1e-3 * l[-1]:
        out['opt_p'].append(dict(name='p-' + name, D=L(D), trace=tr, lambda_max=l[-1], second_eigenvalue=l[-2], value=-tr * l[-1] / 2, S=L(S)))
    out['opt_a'].append(dict(head, name='a-' + name, P=L(P), K=L(s.K(P)), alpha=L(m.alpha(w)), w=L(w), bias=bias, objective=F))
    for rule in ('exact', 'open'):
        P, path = np.eye(2 * s.q), []
        for k in range(4):
            w, _, lin, F = m.solve(s.K(P))
            if k == 3: path.append(dict(k=k, OPT_A=F)); break
            l, S = vertex(s.D(w), tr)
            dual = lin - tr * l[-1] / 2
            step = 2 / (k + 2)
            if rule == 'exact':
                def slope(t):
                    v = m.solve(s.K(P + t * (S - P)))[0]
                    return -np.sum(s.D(v) * (S - P)) / 2
                step = 1. if slope(1.) <= 0 else brentq(slope, 0, 1, xtol=1e-12)
            path.append(dict(k=k, OPT_A=F, OPT_P=dual, gap=F - dual, step=step))
            P = P + step * (S - P)
        out['fw_path'].append(dict(name=f's-{rule}-{name}', opt_a_case='a-' + name, rule=rule, path=path))
    # the optimum: min over P in the convex hull of vertices, fully corrective, until both bounds meet
    V = [np.eye(2 * s.q)]
    mu = np.ones(1)
    best = None
    for k in range(400):
        G = [s.K(v) for v in V]
        def both(t):
            w, _, _, F = m.solve(sum(t_ * g for t_, g in zip(t, G)))
            return F, np.array([-w @ g @ w / 2 for g in G])
        if len(V) > 1:
            mu = minimize(both, mu, jac=True, bounds=[(0, 1)] * len(V), constraints=[dict(type='eq', fun=lambda t: t.sum() - 1, jac=lambda t: np.ones(len(t)))],
                          method='SLSQP', options=dict(ftol=1e-15, maxiter=300)).x
            mu = np.clip(mu, 0, 1); mu /= mu.sum()
        P = sum(t * v for t, v in zip(mu, V))
        w, bias, lin, F = m.solve(s.K(P))
        l, S = vertex(s.D(w), tr)
        low = lin - tr * l[-1] / 2
        if best is None or low > best: best = low
        if F - best <= 1e-8 * F: break
        keep = mu > 1e-9
        V, mu = [v for v, t in zip(V, keep) if t] + [S], np.append(mu[keep] * .9, 0.1); mu /= mu.sum()
    print(name, k, (F - best) / F, file=sys.stderr)
    if F - best > 1e-7 * F: continue
    s.T = full; KX = s.K(P)
    values = KX[:, :N] @ w + bias
    out['optimum'].append(dict(head, name='o-' + name, objective=F, lower_bound=best, P=L(P), alpha=L(m.alpha(w)), bias=bias,
                               rank=int((np.linalg.eigvalsh(P) > 1e-6 * tr).sum()), X_test=L(X[N:]), f_test=L(values[N:]), f_train=L(values[:N])))

for q, tr in ((2, 1.), (5, 3.), (8, 16.)):
    M = np.round(R.normal(size=(q, q)), 4); M = (M + M.T) / 2
    l, U = np.linalg.eigh(M)
    tau = brentq(lambda t: np.maximum(l - t, 0).sum() - tr, l[0] - tr, l[-1], xtol=1e-15, rtol=1e-15)
    out['projection'].append(dict(M=L(M), trace=tr, P=L((U * np.maximum(l - tau, 0)) @ U.T)))
X = np.round(R.normal(size=(7, 4)) * 10, 2); X[:, 2] = -1.5
lo, hi = X.min(0), X.max(0)
out['scaling'].append(dict(X=L(X), lo=L(lo), hi=L(hi), scaled=L(np.where(hi > lo, (X - lo) / np.where(hi > lo, hi - lo, 1), .5))))
for n, N, C in ((1, 15, 3.), (3, 10, 1.)):
    a, b = np.full(n, -.2), np.full(n, 1.15)
    X = np.round(R.uniform(0, 1, (N, n)), 4); y = np.where(R.permutation(N) % 2, 1., -1.)
    s = Data(n, 0, 'x', 'complement', a, b, X)
    m, P = Machine('classification', y, C, 0), np.array([[1., -1], [-1, 1]])
    w, _, _, F = m.solve(s.K(P))
    out['d0'].append(dict(n=n, d=0, basis='x', a=L(a), b=L(b), X=L(X), y=L(y), C=C, trace=2., P=L(P), objective=F, alpha=L(m.alpha(w))))
json.dump(out, sys.stdout, separators=(',', ':'))
