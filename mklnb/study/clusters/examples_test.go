package clusters

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/mklnb/mkl/mklnb/study"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestReadme runs the program of README.md on a table, two Gram matrices and a matrix of similarities. mkl-study runs a
// shard of the study file that it writes.
func TestReadme(t *testing.T) {
	_, program, _ := strings.Cut(strings.ReplaceAll(string(must(os.ReadFile("README.md"))), "\r\n", "\n"), "```go\n")
	program, _, _ = strings.Cut(program, "```")
	dir, random := t.TempDir(), rand.New(rand.NewPCG(1, 1))
	files := map[string]string{"main.go": program, "patients.csv": "ward,age,outcome\n"}
	for i := range 40 {
		ward, age := []string{"east", "west", ""}[random.IntN(3)], fmt.Sprintf("%.1f", 50+10*random.NormFloat64())
		if i%9 == 1 {
			age = ""
		}
		files["patients.csv"] += fmt.Sprintf("%s,%s,%s\n", ward, age, []string{"well", "ill"}[i%2])
		files["genre.csv"] += []string{"rock", "jazz"}[i%2] + "\n"
		files["family.csv"] += []string{"A", "B"}[i%2] + "\n"
		for j := range 40 {
			end := ","
			if j == 39 {
				end = "\n"
			}
			files["text.csv"] += fmt.Sprint(min(i, j)+1, end)
			files["sound.csv"] += fmt.Sprint(i*j+i%2*(j%2), end)
			files["proteins.csv"] += fmt.Sprint((i*j)%7-3*((i+j)%2), end)
		}
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command(filepath.Join(dir, "program"))
	run.Dir = dir
	for _, cmd := range []*exec.Cmd{exec.Command("go", "build", "-o", run.Path, filepath.Join(dir, "main.go")), run} {
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	file := filepath.Join(dir, "study.jsonl")
	if studies := must(study.Open(file)); len(studies) != 3 || len(studies[2].Methods) != 4 {
		t.Errorf("the file has %d studies", len(studies))
	}
	store := filepath.Join(dir, "results")
	if status := study.Main([]string{"run", "-shard", "0/80", "-store", store, file}); status != 0 {
		t.Errorf("mkl-study ends with status %d", status)
	}
}

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
		for _, call := range calls(text) {
			if status := study.Main(append(call, "no study")); status != 1 { // 2: wrong use
				t.Errorf("%s: mkl-study %s ends with status %d", name, call, status)
			}
		}
		damaged := strings.Replace(text, example.damage[0], example.damage[1], 1)
		if damaged == text || example.check(damaged) == "" {
			t.Errorf("%s: a damaged copy is not found", name)
		}
	}
}

// calls returns the arguments of each call of mkl-study in an example: the verb and the options, with values.
func calls(text string) (list [][]string) {
	text = strings.ReplaceAll(text, "\\\n", " ")
	text = regexp.MustCompile(`\n +-store`).ReplaceAllString(text, " -store") // the folded text of YAML
	for _, m := range regexp.MustCompile(`mkl-study (run|list|show|merge)( .*)`).FindAllStringSubmatch(text, -1) {
		call := []string{m[1]}
		command, _, _ := strings.Cut(m[2], "&&")
		for _, option := range regexp.MustCompile(` -(\w+)`).FindAllStringSubmatch(command, -1) {
			values := map[string]string{"shard": "0/2", "workers": "1", "store": "no store"}
			call = append(call, "-"+option[1], values[option[1]])
		}
		list = append(list, call)
	}
	return list
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
