package mklnb

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/kernel"
	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/data"
	"github.com/mklnb/mkl/viz"

	"gonum.org/v1/gonum/mat"
)

// decomposedPoints bounds the points of a similarity whose spectrum is shown unasked: it costs about 9n³.
const decomposedPoints = 2000

// similarities are pictures of each similarity of d: the matrix sorted by class, and its spectrum.
func similarities(d *data.Dataset) ([]viz.Figure, error) {
	var shown []viz.Figure
	x := d.X.(kernel.Places)
	for _, s := range d.Similarities {
		m := mat.NewSymDense(len(x), nil)
		for i, p := range x {
			for j := i; j < len(x); j++ {
				m.SetSym(i, j, s.S[p*s.N+x[j]])
			}
		}
		caption := fmt.Sprintf("Similarities of %s.", plural(len(x), "point"))
		title := fmt.Sprintf("%s between %s", s.Name, plural(len(x), "point"))
		if n := d.Counts(); n != nil {
			title += ", sorted by class"
			var order []string
			for k, c := range d.Classes[:min(len(n), 12)] {
				order = append(order, fmt.Sprintf("%s (%d)", c, n[k]))
			}
			if len(n) > 12 {
				order = append(order, "…")
			}
			caption = fmt.Sprintf("Similarities of %s; from the top: %s. What tells classes apart shows as blocks.",
				plural(len(x), "point"), strings.Join(order, ", "))
		} else if d.Y != nil {
			title += ", sorted by target"
			lo, hi := slices.Min(d.Y), slices.Max(d.Y)
			caption = fmt.Sprintf("Similarities of %s; from the top: the least target, %s, to the greatest, %s. What tells targets apart shows as a band about the diagonal.", plural(len(x), "point"),
				viz.FormatNumber(lo), viz.FormatNumber(hi))
		}
		large := len(x) > decomposedPoints
		if large {
			caption += fmt.Sprintf(" The spectrum of more than %d points is not computed unasked: similarity.Decompose.", decomposedPoints)
		}
		sorted := viz.Sorted(title, caption, d.Y, []string{s.Name}, m)
		if d.Y != nil && d.Classes == nil {
			sorted = sorted.WithAxes("point, sorted by target", "point, sorted by target")
		}
		shown = append(shown, sorted)
		if large {
			continue
		}
		spectrum, err := similarity.Decompose(m)
		if err != nil {
			return nil, fmt.Errorf("mklnb: %s: %w", s.Name, err)
		}
		shown = append(shown, spectrumFigure(s.Name, spectrum))
	}
	return shown, nil
}

// ofSpectrum is content of the eigenvalues of a similarity of this name.
func ofSpectrum(name string, s *similarity.Spectrum) (content, error) {
	if len(s.Values) == 0 {
		return nil, errors.New("mklnb: show: an empty similarity.Spectrum, want what Decompose returned")
	}
	return figures(spectrumFigure(name, s)), nil
}

// spectrumFigure is the eigenvalues of a similarity.
func spectrumFigure(name string, s *similarity.Spectrum) viz.Figure {
	title := fmt.Sprintf("%s is a kernel as it is: no eigenvalue below 0", name)
	if below := s.Below(); below > 0 {
		title = fmt.Sprintf("%s is no kernel: %d of %d eigenvalues below 0, negative mass %.1f %%", name, below,
			len(s.Values), 100*s.NegativeMass())
	}
	return viz.Spectra(title, "Eigenvalues λ, ascending. The negative mass is Σ|λ| over the negative ones, of Σ|λ| over all.", []string{name}, s.Values)
}
