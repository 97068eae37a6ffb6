package setup

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// gonbPath is the module of GoNB.
const gonbPath = "github.com/janpfeifer/gonb"

// gonbPatch is what the pinned version of GoNB lacks, beside the go.mod that pins it: a unified diff whose parts say
// why each is there and what happens without it.
const gonbPatch = toolsDir + "/gonb.patch"

// edit is one hunk of gonbPatch: old, which stands once in a file of GoNB, becomes new.
type edit struct {
	line           int // of gonbPatch, where it begins
	file, old, new string
}

// edits reads a unified diff. What stands between its hunks is for readers.
func edits(text string) (list []edit, err error) {
	var file string
	var olds, news int // lines that the hunk at the end of list lacks still
	for i, line := range strings.Split(text, "\n") {
		if olds > 0 || news > 0 {
			e := &list[len(list)-1]
			kind, rest := line[:min(1, len(line))], line[min(1, len(line)):]
			if kind != "+" {
				e.old += rest + "\n"
				olds--
			}
			if kind != "-" {
				e.new += rest + "\n"
				news--
			}
			if kind == "" || !strings.Contains(" +-", kind) || olds < 0 || news < 0 {
				return nil, fmt.Errorf("%s:%d: not a line of the hunk of line %d, whose @@ says how many there are",
					gonbPatch, i+1, e.line)
			}
			continue
		}
		if name, ok := strings.CutPrefix(line, "+++ b/"); ok {
			file = name
		}
		if strings.HasPrefix(line, "@@ ") {
			var from, to int
			if _, err := fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@", &from, &olds, &to, &news); err != nil || file == "" {
				return nil, fmt.Errorf("%s:%d: %q, expected @@ -from,lines +from,lines @@ below +++ b/file (%v)",
					gonbPatch, i+1, line, err)
			}
			list = append(list, edit{line: i + 1, file: file})
		}
	}
	if olds > 0 || news > 0 || len(list) == 0 {
		return nil, fmt.Errorf("%s has no hunk whole", gonbPatch)
	}
	return list, nil
}

// patchedGoNB copies the pinned GoNB to dir/gonb, applies gonbPatch, and returns a go.mod, in dir, by which the tools
// are built with it.
func patchedGoNB(ctx context.Context, gotool, root, dir string) (modfile string, err error) {
	tools := filepath.Join(root, toolsDir)
	for _, name := range []string{"go.mod", "go.sum"} { // what the go command adds is added to the copies
		content, err := os.ReadFile(filepath.Join(tools, name))
		if err != nil {
			return "", err
		}
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return "", err
		}
	}
	modfile = filepath.Join(dir, "go.mod")
	golang := func(args ...string) (string, error) {
		cmd := command(ctx, nil, gotool, args...)
		cmd.Dir = tools
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		var said strings.Builder
		cmd.Stderr = &said
		out, err := cmd.Output()
		if err != nil {
			err = fmt.Errorf("go %s %s: %w: %s", strings.Join(args[:2], " "), gonbPath, err,
				strings.TrimSpace(said.String()))
		}
		return strings.TrimSpace(string(out)), err
	}
	if _, err := golang("mod", "download", "-modfile="+modfile, gonbPath); err != nil {
		return "", err
	}
	from, err := golang("list", "-m", "-modfile="+modfile, "-f", "{{.Dir}}", gonbPath)
	if err != nil {
		return "", err
	}
	to := filepath.Join(dir, "gonb")
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return "", err
	}
	patch, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(gonbPatch)))
	if err != nil {
		return "", err
	}
	list, err := edits(string(patch))
	if err != nil {
		return "", err
	}
	for _, e := range list {
		file := filepath.Join(to, filepath.FromSlash(e.file))
		content, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		edited, err := e.apply(string(content))
		if err != nil {
			return "", err
		}
		if err := os.Chmod(file, 0o644); err != nil {
			return "", err
		}
		if err := os.WriteFile(file, []byte(edited), 0o644); err != nil {
			return "", err
		}
	}
	mod, err := os.ReadFile(modfile)
	if err != nil {
		return "", err
	}
	return modfile, os.WriteFile(modfile, []byte(string(mod)+replaced(to)), 0o644)
}

// replaced is the directive of go.mod that takes GoNB from a folder, whose name may have spaces.
func replaced(folder string) string {
	return "\nreplace " + gonbPath + " => " + strconv.Quote(folder) + "\n"
}

// apply returns content with the edit.
func (e edit) apply(content string) (string, error) {
	if n := strings.Count(content, e.old); n != 1 {
		return "", fmt.Errorf("%s:%d: %s of GoNB holds %d times what is to be edited, expected once: is the "+
			"version in %s another?",
			gonbPatch, e.line, e.file, n, toolsDir+"/go.mod")
	}
	return strings.Replace(content, e.old, e.new, 1), nil
}
