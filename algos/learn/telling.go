package learn

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mklnb/mkl/algos/compare"
	"github.com/mklnb/mkl/algos/mkl"
	"github.com/mklnb/mkl/viz"
)

// Summary describes the model, and the reason for its selection, in a few sentences.
func (l *Learned) Summary() string {
	if l.Model == nil {
		return "There is no model yet."
	}
	what := l.Method
	if l.Label != "" {
		what += " (" + l.Label + ")"
	}
	s := fmt.Sprintf("%s: %s, %s = %.3g", l.Data, what, l.Constant, l.Lambda)
	var rest []string
	for _, t := range l.Tried {
		if t.Method != l.Method {
			rest = append(rest, t.Method+" "+viz.Digits(t.Error)[0])
			continue
		}
		weighted := ""
		if t.Weighted {
			weighted = "weighted "
		}
		s += fmt.Sprintf(", %s%s %s", weighted, t.By, viz.Digits(t.Error)[0])
		if l.Model.Targets != nil {
			s += fmt.Sprintf(" of %d targets, each in units of its standard deviation,", len(l.Model.Targets))
		}
		s += " on points left out"
		if n := l.Plan.Selection.Points; 0 < n && n < l.Points {
			s += fmt.Sprintf(" of %d", n) // a model of more points has a smaller error
		}
		if l.Model.Log {
			s += " (of the logarithms)"
		}
	}
	if len(rest) > 0 {
		s += ", where " + strings.Join(rest, ", ") + " (WithMethod takes another)"
	}
	s += "."
	if l.Landmarks > 0 {
		s += fmt.Sprintf(" The model has %d landmarks of %d points: ", l.Landmarks, l.Points)
		if l.Result.Status != mkl.EvaluatedOnly {
			s += fmt.Sprintf("weights are learned on these alone with %s·%d/%d, ", l.Constant, l.Landmarks, l.Points)
		}
		s += "coefficients fitted to all (WithLandmarks)."
	}
	if proved := l.OptimalityNote(); proved != "" {
		s += " " + proved
	}
	return s + l.unclear()
}

// unclear names the baselines than which learned weights are worse, clearly or not, or not clearly better, on the
// splits of the comparison. It returns "" if learned weights are clearly better than both baselines, and if that is not
// known.
func (l *Learned) unclear() string {
	if l.Table == nil {
		return ""
	}
	name, m := LearnedName, l.Table.Metrics()[0]
	if strings.HasPrefix(l.Method, LearnedName) {
		name = l.Method
	}
	var worse, within, than, parts []string
	for _, other := range [][2]string{{UniformName, "uniform ones"}, {SingleName, "the best single kernel"}} {
		d := l.Table.Compare(name, other[0], m)
		if m.HigherIsBetter() {
			d.Mean, d.Lo, d.Hi = -d.Mean, -d.Hi, -d.Lo
		}
		switch {
		case d.N < 2:
		case d.Lo > 0:
			worse = append(worse, other[1])
		case d.Mean > 0:
			within = append(within, other[1])
		case !(d.Hi < 0):
			than = append(than, other[1])
		}
	}
	if worse != nil {
		parts = append(parts, "clearly worse than "+viz.Listed(worse))
	}
	if within != nil {
		parts = append(parts, "worse than "+viz.Listed(within)+", but not clearly")
	}
	if than != nil {
		parts = append(parts, "not clearly better than "+strings.Join(than, ", nor than "))
	}
	if parts == nil {
		return ""
	}
	return fmt.Sprintf(" Learned weights are %s.", strings.Join(parts, ", and "))
}

// Score states how good Learn's selected model is on held-out points, compared with the constant baseline. It returns
// one sentence for each target, or "" without a comparison.
func (l *Learned) Score() string {
	if l.Table == nil {
		return ""
	}
	var each []string
	for _, t := range l.Table.ByTarget() {
		if s := scoreSentence(t); s != "" && len(l.Table.Targets) > 0 {
			each = append(each, t.Data+": "+s)
		} else if s != "" {
			each = append(each, viz.Capitalize(s))
		}
	}
	if len(each) == 0 {
		return ""
	}
	text := strings.Join(each, "\n")
	if l.Duplicates != "" {
		text += " " + l.Duplicates
	}
	if strings.Contains(text, noBetter) && slices.ContainsFunc(l.Defaults,
		func(d Default) bool { return d.Value == Beyond }) {
		text += " " + Beyond
	}
	return text
}

const noBetter = "That is not clearly better than no skill."

// scoreSentence states the accuracy (for classes) or the RMSE (for numbers) of LearnName and of the constant baseline.
// It adds a sentence if LearnName is not clearly better.
func scoreSentence(t *compare.Table) string {
	m, none := compare.RMSE, "the mean"
	text, write := "off by %s (RMSE) on points it has not seen", func(v ...float64) []string { return viz.Digits(v...) }
	if t.Classes != nil {
		m, none, text, write = compare.Accuracy, "the commonest class", "right on %s of points it has not seen",
			viz.Percent
	}
	if t.Log {
		none = "the geometric mean"
	}
	s, without := t.Summary(LearnName, m), t.Summary(compare.ConstantBaseline, m)
	if s.N == 0 {
		return ""
	}
	mean := write(s.Mean, s.Lo, s.Hi)
	text = fmt.Sprintf(text, mean[0])
	var beside []string
	if s.N > 1 {
		beside = append(beside, fmt.Sprintf("95 %% interval %s to %s", strings.TrimSuffix(mean[1], " %"),
			strings.TrimSuffix(mean[2], " %")))
	}
	if without.N > 0 {
		beside = append(beside, fmt.Sprintf("always saying %s: %s", none, write(without.Mean)[0]))
	}
	if beside != nil {
		text += " (" + strings.Join(beside, "; ") + ")"
	}
	text += "."
	if s.N == 1 {
		return text + " " + compare.OneSplit + ": there is no interval."
	}
	if d := t.Compare(LearnName, compare.ConstantBaseline, m); d.N > 1 && !(d.Lo > 0 && m.HigherIsBetter() ||
		d.Hi < 0 && !m.HigherIsBetter()) {
		if b := t.Compare(LearnName, compare.ConstantBaseline, compare.Balanced); t.Classes == nil || !(b.Lo > 0) {
			return text + " " + noBetter
		}
		text += fmt.Sprintf(" By %s that is not clearly better than no skill, by %s it is: %s beside %s.", m,
			compare.Balanced,
			viz.Digits(t.Summary(LearnName, compare.Balanced).Mean)[0], viz.Digits(t.Summary(compare.ConstantBaseline,
				compare.Balanced).Mean)[0])
	}
	return text
}

// String returns the score, the summary and how the model was solved, then warnings, the model, the comparison, and
// every default.
func (l *Learned) String() string {
	if l.Model == nil && l.Table == nil {
		return "nothing learned"
	}
	var b strings.Builder
	line := func(s string) {
		if s != "" {
			fmt.Fprintln(&b, s)
		}
	}
	line(l.Score())
	if l.Model != nil {
		line(l.Summary())
		if l.Landmarks == 0 || l.Result.Status != mkl.EvaluatedOnly {
			line(l.Result.String())
		}
		for _, w := range l.Warnings {
			line("Warning: " + w)
		}
		line(l.Model.String())
		line(l.WeightShares())
	}
	if l.Table != nil {
		fmt.Fprintf(&b, "\n%v", l.Table)
	}
	if len(l.Defaults) > 0 {
		b.WriteString("\nDefaults taken:\n")
	}
	for _, d := range l.Defaults {
		fmt.Fprintf(&b, "  %s: %s", d.What, d.Value)
		if d.Option != "" {
			fmt.Fprintf(&b, " (%s)", d.Option)
		}
		b.WriteString("\n")
	}
	return b.String()
}
