"""Reference values of the schema krr-family-golden/1 at other sizes than krr_family.json, by numpy and scipy alone:

    python3 krr_second.py [seed] > golden/krr_second.json

F(mu) = y'(K(mu)+lambda I)^-1 y + beta |mu|^2. Minimizers are found by SLSQP from several starts and polished as roots of
the optimality conditions; support vector machines by an active set. Projections are roots of scalar equations.
"""
import itertools, json, sys
import numpy as np
from scipy.optimize import brentq, minimize, root

SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 5
R = np.random.default_rng(SEED)
r2 = lambda x: np.round(x, 2)
out = []


class Power:
    """K(mu) = (sum mu_k K_k)^(elementwise d)."""
    def __init__(s, K, d): s.K, s.d, s.p = np.array(K), d, len(K)
    def S(s, mu): return np.tensordot(mu, s.K, 1)
    def gram(s, mu): return s.S(mu) ** s.d
    def slope(s, mu): return s.d * s.S(mu) ** (s.d - 1) * s.K
    def curve(s, mu, j, k): return s.d * (s.d - 1) * (s.S(mu) ** (s.d - 2) if s.d > 1 else 0) * s.K[j] * s.K[k]


class Terms:
    """sum of products of base kernels; e tied: mu^e K^e, e free: a coefficient of its own."""
    def __init__(s, K, tied, free):
        s.t, s.f, s.b = tied, free, len(K) if tied else 0
        prod = lambda e: np.prod([k ** i for k, i in zip(K, e)], axis=0) if any(e) else np.ones_like(K[0])
        s.T, s.G, s.p = [prod(e) for e in tied], [prod(e) for e in free], s.b + len(free)
    def gram(s, th):
        mu = th[:s.b]
        k = sum((np.prod(mu ** np.array(e)) * m for e, m in zip(s.t, s.T)), np.zeros_like((s.T + s.G)[0]))
        return k + sum((c * m for c, m in zip(th[s.b:], s.G)), 0 * k)
    def slope(s, th):
        d = []
        for k in range(s.b):
            m = 0 * s.T[0]
            for e, t in zip(s.t, s.T):
                if e[k]:
                    low = np.array(e); low[k] -= 1
                    m = m + e[k] * np.prod(th[:s.b] ** low) * t
            d.append(m)
        return np.array(d + s.G)
    def curve(s, th, j, k): return 0 * (s.T + s.G)[0]  # asked of free terms only


class ARD:
    def __init__(s, X): s.D, s.p = [(x[:, None] - x[None, :]) ** 2 for x in X.T], X.shape[1]
    def gram(s, mu): return np.exp(-np.tensordot(mu, s.D, 1))
    def slope(s, mu): return -np.array(s.D) * s.gram(mu)


class Problem:
    def __init__(s, fam, y, lam): s.f, s.y, s.lam, s.n = fam, y, lam, len(y)
    def V(s, mu): return np.linalg.inv(s.f.gram(mu) + s.lam * np.eye(s.n))
    def alpha(s, mu): return np.linalg.solve(s.f.gram(mu) + s.lam * np.eye(s.n), s.y)
    def F(s, mu, beta=0): return s.y @ s.alpha(mu) + beta * mu @ mu
    def grad(s, mu, beta=0):
        a = s.alpha(mu)
        return -np.einsum('i,kij,j->k', a, s.f.slope(mu), a) + 2 * beta * mu
    def hess(s, mu, beta=0):
        a, V, D = s.alpha(mu), s.V(mu), s.f.slope(mu)
        B = D @ a
        H = 2 * B @ V @ B.T
        for j, k in itertools.product(range(s.f.p), repeat=2):
            H[j, k] -= a @ s.f.curve(mu, j, k) @ a
        return H + 2 * beta * np.eye(s.f.p)


def svm(K, y, lam):
    n = len(y)
    Q = (y[:, None] * K * y[None, :]) + lam * np.eye(n)
    a = minimize(lambda a: a @ Q @ a - 2 * a.sum(), np.full(n, .1), jac=lambda a: 2 * Q @ a - 2, bounds=[(0, None)] * n,
                 constraints={'type': 'eq', 'fun': lambda a: a @ y, 'jac': lambda a: y}, method='SLSQP', options={'ftol': 1e-15, 'maxiter': 2000}).x
    sup = a > 1e-5 * a.max()
    for _ in range(50):
        m = sup.sum()
        A = np.block([[Q[np.ix_(sup, sup)], y[sup, None]], [y[None, sup], np.zeros((1, 1))]])
        x = np.linalg.solve(A, np.r_[np.ones(m), 0])
        a = np.zeros(n); a[sup] = x[:m]; b = x[m]
        slack = Q @ a + b * y - 1
        if (a < 0).any(): sup &= a > 0
        elif (slack[~sup] < -1e-12).any(): sup[np.where(~sup)[0][np.argmin(slack[~sup])]] = True
        else: return 2 * a.sum() - a @ Q @ a, a, b
    raise RuntimeError('svm')


def margin(p, mu):
    F, a, b = svm(p.f.gram(mu), p.y, p.lam)
    v = a * p.y
    return F, a, b, -np.einsum('i,kij,j->k', v, p.f.slope(mu), v)


def on_ball(F, g, m, q, mu0, L, starts=6):
    """min over mu >= mu0, |mu-mu0|_q <= L of a decreasing F: the constraint binds."""
    best = None
    for i in range(starts):
        w = np.ones(m) if i == 0 else R.uniform(.2, 1, m)
        w *= .99 * L / np.linalg.norm(w, q)
        con = {'type': 'ineq', 'fun': lambda w: L ** q - (np.abs(w) ** q).sum(), 'jac': lambda w: -q * np.abs(w) ** (q - 1)}
        r = minimize(lambda w: F(mu0 + w), w, jac=lambda w: g(mu0 + w), bounds=[(0, L)] * m, constraints=con, method='SLSQP',
                     options={'ftol': 1e-14, 'maxiter': 1000})
        if best is None or r.fun < best.fun - 1e-12: best = r
    w, S = best.x, best.x > 1e-6 * best.x.max()
    def kkt(z):
        w = np.zeros(m); w[S] = z[:-1]
        return np.r_[g(mu0 + w)[S] + z[-1] * np.abs(w[S]) ** (q - 1), (np.abs(w[S]) ** q).sum() - L ** q]
    k = -(g(mu0 + w) @ w) / (w ** q).sum()
    z = root(kkt, np.r_[w[S], k], tol=1e-15).x
    w = np.zeros(m); w[S] = z[:-1]
    if (w < 0).any() or F(mu0 + w) > best.fun * (1 + 1e-9): raise RuntimeError('on_ball')
    if (g(mu0 + w) + z[-1] * w ** (q - 1) < -1e-6).any(): raise RuntimeError('on_ball: not a minimum')
    return mu0 + w


def norm_dual(g, q): return np.abs(g).max() if q == 1 else np.linalg.norm(g, q / (q - 1))


def project(z, q, mu0, L):
    z, mu0 = np.array(z), np.array(mu0)
    if np.linalg.norm(np.maximum(z, 0) - mu0, q) <= L: return np.maximum(z, 0)
    def u(t):
        c = z - mu0
        if q == 1: v = np.sign(c) * np.maximum(np.abs(c) - t, 0)
        elif q == 2: v = c / (1 + t)
        else: v = np.array([np.sign(a) * brentq(lambda x: x + t * q * x ** (q - 1) - abs(a), 0, abs(a), xtol=1e-16, rtol=1e-15) if a else 0. for a in c])
        return np.maximum(v, -mu0)
    hi = 1.
    while np.linalg.norm(u(hi), q) > L: hi *= 2
    return mu0 + u(brentq(lambda t: np.linalg.norm(u(t), q) - L, 0, hi, xtol=1e-16, rtol=1e-15))


def power_problem(name, kernels, K, y, lam, d):
    p, m, ch = Problem(Power(K, d), y, lam), len(K), []
    L = lambda x: np.asarray(x).tolist()
    for beta in (0., .2):
        mu, u = r2(R.uniform(.1, 1.5, m)), r2(R.normal(size=m))
        a, H = p.alpha(mu), p.hess(mu, beta)
        half = a @ y - .25 * a @ (p.f.gram(mu) + lam * np.eye(p.n)) @ a
        ch.append(dict(kind='eval', mu=L(mu), beta=beta, F=p.F(mu, beta), alpha=L(a), grad=L(p.grad(mu, beta)), hess=L(H), u=L(u),
                       hess_vec=L(H @ u), dual_at_half_alpha=half))
    mu0, Lam = np.full(m, .7), .6
    w = R.uniform(.1, 1, m); w *= Lam / np.linalg.norm(w); mu = mu0 + w
    amb = r2(R.normal(size=m)); P = np.eye(m) - np.outer(w, w) / Lam ** 2
    tan, g = P @ amb, p.grad(mu)
    ret = mu0 + Lam * (w + tan) / np.linalg.norm(w + tan)
    ch.append(dict(kind='riemann', mu0=L(mu0), Lambda=Lam, mu=L(mu), ambient=L(amb), tangent=L(tan), rgrad=L(P @ g),
                   rhess_tangent=L(P @ (p.hess(mu) @ tan) - (w @ g) / Lam ** 2 * tan), retraction=L(ret)))
    for q in {1: (1, 1.5, 2, 3), 2: (2, 3), 3: (3,), 4: (4,)}[d]:
        for mu0, Lam in ((np.zeros(m), 1.1), (np.ones(m), .8)):
            opt = on_ball(p.F, p.grad, m, q, mu0, Lam)
            base = dict(kind='solve', q=q, mu0=L(mu0), Lambda=Lam, mu=L(opt), F=p.F(opt), alpha=L(p.alpha(opt)))
            ch.append(dict(base, algorithm='pgd'))
            if q == 2 and d == 1: ch.append(dict(base, algorithm='iia'))
            if q == 2: ch.append(dict(base, algorithm='trust_region'))
            w = R.uniform(.2, 1, m); w *= .97 * Lam / np.linalg.norm(w, q); mu = mu0 + w
            F, g = p.F(mu), p.grad(mu)
            fw = Lam * norm_dual(g, q) + w @ g
            c = dict(kind='certificate', q=q, mu0=L(mu0), Lambda=Lam, mu=L(mu), F=F, gap_fw=fw, F_opt=p.F(opt))
            ck = -g * w ** (1 - q) / q
            gt = Lam ** q * ck.max() - (w ** q * ck).sum()
            c['gap_t'] = gt
            if d == 1: c['gap_global'] = F * fw / (F + fw)
            elif d == 2 and q == 2:
                a = p.alpha(mu); Q = np.einsum('i,jik,lik,k->jl', a, p.f.K, p.f.K, a)
                b = Q @ mu0; ev, U = np.linalg.eigh(Q); bt = U.T @ b
                s = lambda k: np.sqrt(((bt / (k - ev)) ** 2).sum()) - Lam
                if np.linalg.norm(b) < 1e-14: top = mu0 @ Q @ mu0 + Lam ** 2 * ev[-1]
                else:
                    k = brentq(s, ev[-1] * (1 + 1e-13) + 1e-300, ev[-1] + np.linalg.norm(b) / Lam * 1.1, xtol=1e-18, rtol=1e-15)
                    v = U @ (bt / (k - ev)); top = (mu0 + v) @ Q @ (mu0 + v)
                c['gap_global'] = F - (a @ y) ** 2 / (lam * a @ a + top)
            else: c['gap_global'] = gt
            ch.append(c)
    if d <= 2:
        if d == 2:
            Q = np.einsum('i,jik,lik,k->jl', y, p.f.K, p.f.K, y); zero = np.linalg.eigvalsh(Q)[-1] / lam ** 2
        for beta in ((.4, 3.) if d == 1 else (zero / 40, zero * 1.5)):
            if d == 2 and beta > zero: mu = np.zeros(m)
            else:
                best = min((minimize(lambda m_: p.F(m_, beta), R.uniform(.1, .5, m), jac=lambda m_: p.grad(m_, beta), bounds=[(1e-9, None)] * m,
                                     method='L-BFGS-B', options={'ftol': 1e-16, 'gtol': 1e-12, 'maxiter': 5000}) for _ in range(4)), key=lambda r: r.fun).x
                S = best > 1e-5 * best.max()
                def kkt(z):
                    v = np.zeros(m); v[S] = z; return p.grad(v, beta)[S]
                mu = np.zeros(m); mu[S] = root(kkt, best[S], tol=1e-15).x
            c = dict(kind='solve', algorithm='riia' if d == 1 else 'rpgd', beta=beta, mu=L(mu), F=p.F(mu, beta), alpha=L(p.alpha(mu)))
            if d == 2: c['beta_zero'] = zero
            ch.append(c)
    mu0, Lam, eta, init = np.ones(m), .9, .04, 1 + r2(R.uniform(.1, .3, m)); mu = init; its = []
    for _ in range(3):
        z = np.maximum(0, mu - eta * p.grad(mu)); mu = mu0 + Lam * (z - mu0) / np.linalg.norm(z - mu0); its.append(L(mu))
    ch.append(dict(kind='iterates', algorithm='pgd', mu_init=L(init), mu0=L(mu0), Lambda=Lam, q=2, eta=eta, mu_iterates=its))
    if d == 1:
        for alg, beta in (('iia', 0), ('riia', .6)):
            a, its = p.alpha(init), []
            for _ in range(3):
                v = np.einsum('i,kij,j->k', a, p.f.K, a)
                mu = mu0 + Lam * v / np.linalg.norm(v) if alg == 'iia' else v / (2 * beta)
                a = .5 * a + .5 * p.alpha(mu); its.append(L(mu))
            c = dict(kind='iterates', algorithm=alg, mu_init=L(init), eta=.5, mu_iterates=its, alpha_last=L(a))
            ch.append(dict(c, mu0=L(mu0), Lambda=Lam, q=2) if alg == 'iia' else dict(c, beta=beta))
    if d == 2:
        mu, beta, eta, its = init, .3, .01, []
        for _ in range(3): mu = np.maximum(0, mu - eta * p.grad(mu, beta)); its.append(L(mu))
        ch.append(dict(kind='iterates', algorithm='rpgd', mu_init=L(init), beta=beta, eta=eta, mu_iterates=its))
        mu, u = r2(R.uniform(.2, 1, m)), r2(R.normal(size=m)); H = p.hess(mu)
        ch.append(dict(kind='prop4', mu=L(mu), u=L(u), value=u @ H @ u / 2))
        yy = np.sign(y); s = Problem(p.f, yy, lam); mu = r2(R.uniform(.4, 1.2, m))
    if d == 1: yy = np.sign(y); s = Problem(p.f, yy, lam); mu = r2(R.uniform(.4, 1.2, m))
    out.append(dict(id=name, kernels=kernels, y=L(y), lam=lam, degree=d, checks=ch))
    out[-1]['lambda'] = out[-1].pop('lam')
    if d <= 2:
        F, a, b, g = margin(s, mu)
        sv = [dict(kind='svm', mu=L(mu), F=F, alpha=L(a), b=b, grad=L(g))]
        opt = on_ball(lambda t: margin(s, t)[0], lambda t: margin(s, t)[3], m, 2, np.ones(m), 1., 2)
        F, a, b, g = margin(s, opt)
        sv.append(dict(kind='solve', algorithm='svm_mkl', q=2, mu0=[1.] * m, Lambda=1., mu=L(opt), F=F, alpha=L(a), b=b))
        out.append({'id': name + '-svm', 'kernels': kernels, 'y': L(yy), 'lambda': lam, 'degree': d, 'checks': sv})


L = lambda x: np.asarray(x).tolist()
def dense(n, p):
    K = []
    for k in range(p):
        X = R.normal(size=(n, n + 1 if k else 4)); K.append(np.round(X @ X.T / n + (.05 * np.eye(n)), 6))
    return [(k + k.T) / 2 for k in K]

n, p = 11, 4
K, y = dense(n, p), r2(R.normal(size=n))
for d in (1, 2, 3, 4): power_problem(f'second-dense-n{n}-p{p}-d{d}', {'type': 'dense', 'K': [L(k) for k in K]}, K, y, .3, d)
X = r2(R.normal(size=(17, 3))); yx = r2(X[:, 0] + X[:, 1] * X[:, 2] + .3 * R.normal(size=17))
for d in (1, 2, 3, 4):
    power_problem(f'second-rank1-n17-p3-d{d}', {'type': 'rank1', 'X': L(X)}, [np.outer(x, x) for x in X.T], yx, .8, d)

exps = [e for deg in range(4) for e in sorted((e for e in itertools.product(range(4), repeat=2) if sum(e) == deg), reverse=True)]
K2 = K[:2]; f = Problem(Terms(K2, [], exps), y, .3); mu = r2(R.uniform(.1, 1, len(exps)))
poly = [dict(kind='polynomial', max_degree=3, exponents=[L(e) for e in exps], mu=L(mu), gram=L(f.f.gram(mu)), F=f.F(mu), grad=L(f.grad(mu)), hess=L(f.hess(mu)))]
opt = on_ball(f.F, f.grad, len(exps), 2, np.zeros(len(exps)), 1.2)
poly.append(dict(kind='solve', algorithm='pgd', family='polynomial', max_degree=3, q=2, mu0=[0.] * len(exps), Lambda=1.2, mu=L(opt), F=f.F(opt), alpha=L(f.alpha(opt))))
out.append({'id': 'second-polynomial', 'kernels': {'type': 'dense', 'K': [L(k) for k in K2]}, 'y': L(y), 'lambda': .3, 'degree': 2, 'checks': poly})
tied, free = [[0, 1, 0, 0], [1, 0, 2, 0], [0, 1, 1, 1], [3, 0, 0, 0]], [[0, 0, 0, 0], [0, 2, 0, 1]]
f = Problem(Terms(K, tied, free), y, .3); th = r2(R.uniform(.2, 1, p + 2))
out.append({'id': 'second-mixed', 'kernels': {'type': 'dense', 'K': [L(k) for k in K]}, 'y': L(y), 'lambda': .3, 'degree': 3,
            'checks': [dict(kind='mixed', tied=tied, free=free, theta=L(th), gram=L(f.f.gram(th)), F=f.F(th), alpha=L(f.alpha(th)), grad=L(f.grad(th)))]})
f = Problem(ARD(X), yx, .8); mu = r2(R.uniform(0, 1, 3))
out.append({'id': 'second-ard', 'kernels': {'type': 'features', 'X': L(X)}, 'y': L(yx), 'lambda': .8, 'degree': 0,
            'checks': [dict(kind='ard', mu=L(mu), F=f.F(mu), alpha=L(f.alpha(mu)), grad=L(f.grad(mu)))]})
A = K[1] + .5 * np.eye(n); ev = np.linalg.eigvalsh(A * A); lo, hi = .6, 1.4
B, D = ev[-1], ev[0]; C, E, H = (hi * B) ** 2, hi ** 2 * B, 1 / (lo * D) ** 2
out.append({'id': 'second-constants', 'kernels': {'type': 'dense', 'K': [L(A)]}, 'y': L(y), 'lambda': .3, 'degree': 2,
            'checks': [dict(kind='constants', mu0=[1.], Lambda=.4, B=B, C=C, D=D, E=E, H=H, concave_from=4 * C / D,
                            convex_upto=E * np.log(4 / (E * H * B)), convex_upto_sharper=4 / (H * B) - E)]})
ch = []
for q in (1, 1.5, 2, 3):
    for m in (2, 7):
        mu0, z, Lam = r2(R.uniform(0, 1, m)), r2(R.normal(size=m) * 2), .9
        ch.append(dict(kind='project', q=q, z=L(z), mu0=L(mu0), Lambda=Lam, mu=L(project(z, q, mu0, Lam))))
    z = r2(mu0 + R.uniform(.1, 1, m))
    ch.append(dict(kind='normalize', q=q, z=L(z), mu0=L(mu0), Lambda=Lam, mu=L(mu0 + Lam * (z - mu0) / np.linalg.norm(z - mu0, q))))
for d, (P, M) in itertools.product((1, 2, 3), ((5, 100), (60, 208))):
    R2, rho, delta, emp = 1.7, .5, .01, .07
    rad = np.sqrt(23 / 11) * P ** (d / 4) * R2 ** (d / 2) / np.sqrt(M)
    ch.append(dict(kind='bound', p=P, m=M, R2=R2, degree=d, rho=rho, delta=delta, empirical=emp, rademacher=rad,
                   bound=emp + 2 / rho * rad + 3 * np.sqrt(np.log(2 / delta) / (2 * M))))
out.append({'id': 'second-sets-and-bounds', 'kernels': {'type': 'none'}, 'y': [], 'lambda': 1., 'degree': 0, 'checks': ch})
json.dump({'format': 'krr-family-golden/1', 'rtol': 1e-8, 'problems': out}, sys.stdout, separators=(',', ':'))
