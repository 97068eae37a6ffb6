package clusters

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// TestExamples checks the syntax of the examples for other schedulers. Damaged copies of them must fail.
func TestExamples(t *testing.T) {
	for name, example := range map[string]struct {
		check  func(text string) string
		damage [2]string // a text and what replaces it
	}{
		"slurm.sh":        {bash, [2]string{"\nfi\n", "\n"}},
		"kubernetes.yaml": {yaml, [2]string{"      containers:", "     containers:"}},
		"Snakefile":       {snakemake, [2]string{`{output}"`, `{output} | "`}},
	} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(b), "\r\n", "\n")
		if wrong := example.check(text); wrong != "" {
			t.Errorf("%s: %s", name, wrong)
		}
		damaged := strings.Replace(text, example.damage[0], example.damage[1], 1)
		if damaged == text || example.check(damaged) == "" {
			t.Errorf("%s: a damaged copy is not found", name)
		}
	}
}

// bash returns the errors of bash -n.
func bash(text string) string {
	cmd := exec.Command("bash", "-n")
	cmd.Stdin = strings.NewReader(text)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return err.Error() + ": " + string(out)
	}
	return ""
}

// snakemake checks the shell command of each rule.
func snakemake(text string) string {
	commands := regexp.MustCompile(`shell:\s+"(.*)"`).FindAllStringSubmatch(text, -1)
	if len(commands) != strings.Count(text, "\nrule ") {
		return "not every rule has a shell command"
	}
	for _, c := range commands {
		if wrong := bash(c[1]); wrong != "" {
			return wrong
		}
	}
	return ""
}

// yaml checks that each line is a key, an item, or text below ">-", and that its indentation is that of a line above. A
// line may have a larger indentation if the line before ends with a colon.
func yaml(text string) string {
	line := regexp.MustCompile(`^ *((?:- )*)(?:[\w.-]+:(?: [^:]+)?|[^:]*)$`)
	levels, block, before := []int{0}, -1, ""
	for s := range strings.Lines(text) {
		s, _, _ = strings.Cut(strings.TrimSuffix(s, "\n"), "#")
		s = strings.TrimRight(s, " ")
		indent := len(s) - len(strings.TrimLeft(s, " "))
		if s == "" || block >= 0 && indent > block {
			continue
		}
		m := line.FindStringSubmatch(s)
		for indent < levels[len(levels)-1] {
			levels = levels[:len(levels)-1]
		}
		if indent > levels[len(levels)-1] && strings.HasSuffix(before, ":") {
			levels = append(levels, indent)
		}
		if m == nil || indent != levels[len(levels)-1] {
			return "the line is not a key, an item or a text, or its indentation is wrong: " + s
		}
		if m[1] != "" { // the other keys of an item are below its first key
			levels = append(levels, indent+len(m[1]))
		}
		block, before = -1, s
		if strings.HasSuffix(s, ">-") {
			block = indent
		}
	}
	return ""
}
