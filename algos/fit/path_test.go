package fit

import (
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare/comparetest"
	"github.com/mklnb/mkl/algos/loss"
)

// TestPathText tests that the text of a path has the name and the other parameters of the loss, whatever the position
// of the hyperparameter in its text.
func TestPathText(t *testing.T) {
	for _, c := range []struct {
		l    loss.Loss
		want []string
	}{{loss.EpsilonInsensitive{Epsilon: 0.1}, []string{"ε-insensitive loss, ε=0.1, C = 0.5, 2"}},
		{loss.Pinball{Tau: 0.9}, []string{"pinball loss, τ=0.9, C = 0.5, 2"}},
		{loss.Squared{}, []string{"squared loss, λ = 0.5, 2"}}, {loss.SquaredHinge{}, []string{"λ = 0.5, 2"}}} {
		text := Losses(c.l, 0.5, 2).String()
		comparetest.CheckContains(t, text, c.want...)
		if strings.Contains(text, ", ,") || strings.Contains(text, "=0,") {
			t.Errorf("%q", text)
		}
	}
}
