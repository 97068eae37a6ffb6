package learn

import (
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/model"
)

// TestLearnedBesideOthers: what was taken says than what learned weights are worse, clearly or not, and than what they
// are not clearly better.
func TestLearnedBesideOthers(t *testing.T) {
	row := func(name string, rmse ...float64) compare.Row {
		r := compare.Row{Method: name}
		for i, v := range rmse {
			r.Runs = append(r.Runs, compare.Run{Split: i, Score: model.Score{RMSE: v}})
		}
		return r
	}
	learned := row(LearnedName, 1, 1.1, 0.9, 1)
	little := []float64{0.9, 1.2, 0.9, 0.9}
	same, better, worse := []float64{1.2, 0.9, 1, 1}, []float64{0.5, 0.6, 0.4, 0.51}, []float64{1.5, 1.6, 1.4, 1.51}
	for _, c := range []struct {
		uniform, single []float64
		want            string
	}{
		{same, better, " Learned weights are clearly worse than the best single kernel, and not clearly better than " +
			"uniform ones."},
		{better, better, " Learned weights are clearly worse than uniform ones and the best single kernel."},
		{same, same, " Learned weights are not clearly better than uniform ones, nor than the best single kernel."},
		{little, little, " Learned weights are worse than uniform ones and the best single kernel, but not clearly."},
		{same, little, " Learned weights are worse than the best single kernel, but not clearly, and not clearly " +
			"better than uniform ones."},
		{same, worse, " Learned weights are not clearly better than uniform ones."},
		{worse, worse, ""},
	} {
		l := &Learned{Method: SingleName, Table: &compare.Table{Splits: 4, Ratio: 1. / 3, Baseline: UniformName,
			Rows: []compare.Row{row(UniformName, c.uniform...), row(SingleName, c.single...), learned}}}
		if s := l.unclear(); s != c.want {
			t.Errorf("uniform %v, single %v: %q, want %q", c.uniform, c.single, s, c.want)
		}
	}
}

// TestRareClass: where accuracy is not clearly above that of the commonest class, and balanced accuracy is, both are
// said.
func TestRareClass(t *testing.T) {
	row := func(name string, balanced ...float64) compare.Row {
		r := compare.Row{Method: name}
		for i, b := range balanced {
			r.Runs = append(r.Runs, compare.Run{Split: i, Score: model.Score{N: 9, Accuracy: 0.7, Balanced: b}})
		}
		return r
	}
	for balanced, want := range map[float64]string{
		0.6: "By accuracy that is not clearly better than no skill, by balanced accuracy it is: 0.600 beside 0.500.",
		0.5: noBetter} {
		table := &compare.Table{Splits: 3, Ratio: 1. / 3, Classes: []string{"a", "b"}, Rows: []compare.Row{
			row(LearnName, balanced, balanced+0.01, balanced-0.01), row(compare.ConstantBaseline, 0.5, 0.5, 0.5)}}
		if s := scoreSentence(table); !strings.HasSuffix(s, want) {
			t.Errorf("%q, want %q at its end", s, want)
		}
	}
}
