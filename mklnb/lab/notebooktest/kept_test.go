package notebooks

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/mklnb/mkl/notebooks/papers/eskl"
	"github.com/mklnb/mkl/notebooks/papers/nkrr"
	"github.com/mklnb/mkl/notebooks/papers/qnpkl"
	"github.com/mklnb/mkl/notebooks/papers/start"
	"github.com/mklnb/mkl/notebooks/papers/tkl"
	"github.com/mklnb/mkl/viz"
)

// TestStoredResults tests that the outputs of the notebooks contain the tables of the stored results. TestOutputs does
// not detect results that were stored after the outputs.
func TestStoredResults(t *testing.T) {
	for name, figures := range map[string][]viz.Figure{
		"00_start_here.ipynb": {
			start.Differences("", "plants"), start.Differences("", "sonar"), start.Table("", "sonar"),
			start.Table("", "sonar in ranges"), start.Table("", "heart-statlog"), start.Verdict(""),
			start.VerdictTable(""),
		},
		"01_nkrr.ipynb": {
			nkrr.PrintedGainChart("", nkrr.Stored("table1")), nkrr.VerdictChart(""),
		},
		"03_qn_pkl.ipynb": {
			qnpkl.Table1(""), qnpkl.GainsTable("", qnpkl.UniformProduct, qnpkl.AsPrinted, qnpkl.EightSteps,
				qnpkl.ToTheEnd, qnpkl.OneWidth),
			qnpkl.Table2("", qnpkl.Standardized), qnpkl.Table2Gains("", qnpkl.Standardized),
			qnpkl.Table2ByC("", qnpkl.Standardized),
			qnpkl.StepsFigure("", "sonar"),
		},
		"04_similarities.ipynb": {
			eskl.Table("", "", append(eskl.Stored("single"), eskl.Stored("aural")...), eskl.Accuracy),
			eskl.Table("", "", append(eskl.Stored("single"), eskl.Stored("aural")...), eskl.F),
			eskl.Table("", "", eskl.Stored("scop160"), eskl.Accuracy),
			eskl.Table("", "", eskl.Stored("scop160"), eskl.F),
		},
		"05_tessellated.ipynb": {
			tkl.Levels("", "", "truths"), tkl.Levels("", "", "arm"), tkl.Levels("", "", "classes"),
			tkl.Gains("", "", "truths", "degree 1, learned", "Gaussian", "degree 1, shuffled"),
			tkl.Gains("", "", "arm", "degree 1, learned", "Gaussian", "degree 0", "degree 1, P' = I",
				"degree 1, shuffled"),
			tkl.Levels("", "", "paper"), tkl.VerdictTable("", ""), tkl.Table1("", ""), tkl.SmallBoundsTable("", ""),
			tkl.MinimumTable("", ""),
			tkl.Gains("", "", "paper", "degree 1, learned", "degree 1, P = I", "degree 1, shuffled", "SimpleMKL"),
		},
	} {
		n := must(read(filepath.Join(shipped, name)))
		shown, looked := map[string]bool{}, 0
		for _, c := range n.Cells {
			for _, o := range c.Outputs {
				for line := range strings.SplitSeq(o.form("text/plain"), "\n") {
					shown[line] = true
				}
			}
		}
		for _, f := range figures {
			f.Title, f.Caption = "", ""
			for _, line := range strings.Split(strings.Trim(f.Text(), "\n"), "\n") {
				if looked++; !shown[line] {
					t.Errorf("%s does not show this line of the stored results: %s", name, line)
				}
			}
		}
		if looked < 2 { // a chart is one line, its alt text, with all values of a chart of dots
			t.Errorf("%s: only %d lines of tables and charts were compared", name, looked)
		}
	}
}
