package report

import (
	"errors"
	"fmt"

	"github.com/mklnb/mkl/algos/similarity"
	"github.com/mklnb/mkl/viz"
)

// Spectrum returns the report of the spectrum of a similarity matrix: whether the matrix is a valid kernel, and its
// eigenvalues. name is the name of the similarity. It is an error if s is empty.
func Spectrum(s *similarity.Spectrum, name string) (Report, error) {
	if len(s.Values) == 0 {
		return nil, errors.New("report: the similarity.Spectrum is empty; show a result of Decompose")
	}
	return Report{{Figure: new(eigenvalueChart(s, name))}}, nil
}

// eigenvalueChart returns a chart of the eigenvalues of a similarity matrix. Its title states whether the matrix is a
// valid kernel. If it is not, the title has the negative mass: the sum of |λ| over the negative eigenvalues, divided by
// the sum of |λ| over all eigenvalues.
func eigenvalueChart(s *similarity.Spectrum, name string) viz.Figure {
	title := fmt.Sprintf("%s is a valid kernel: no eigenvalue is below 0", name)
	if below := s.Below(); below > 0 {
		title = fmt.Sprintf("%s is not a valid kernel: %d of %d eigenvalues are below 0, negative mass %.1f %%", name,
			below, len(s.Values), 100*s.NegativeMass())
	}
	const caption = "Eigenvalues λ, ascending. The negative mass is Σ|λ| over the negative ones, of Σ|λ| over all."
	return viz.Spectrum(title, caption, s.Values)
}
