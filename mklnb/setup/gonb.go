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

// gonbPatch is a unified diff of the pinned version of GoNB, beside the go.mod that pins it. Each part states why it is
// needed and what happens without it.
const gonbPatch = toolsDir + "/gonb.patch"

// edit is one hunk of gonbPatch: it replaces the text old, which occurs once in a file of GoNB, by new.
type edit struct {
	line           int // the first line of the hunk in gonbPatch
	file, old, new string
}

// parseDiff reads a unified diff. Text between the hunks is for readers.
func parseDiff(text string) (list []edit, err error) {
	var file string
	var olds, news int // lines that the last hunk of list still lacks
	for i, line := range strings.Split(text, "\n") {
		if olds > 0 || news > 0 {
			e := &list[len(list)-1]
			kind, content := line[:min(1, len(line))], line[min(1, len(line)):]
			if kind != "+" {
				e.old += content + "\n"
				olds--
			}
			if kind != "-" {
				e.new += content + "\n"
				news--
			}
			if kind == "" || !strings.Contains(" +-", kind) || olds < 0 || news < 0 {
				return nil, fmt.Errorf("setup: %s:%d: not a line of the hunk of line %d, whose @@ states its length",
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
				return nil, fmt.Errorf("setup: %s:%d: %q, expected @@ -from,lines +from,lines @@ below +++ b/file (%v)",
					gonbPatch, i+1, line, err)
			}
			list = append(list, edit{line: i + 1, file: file})
		}
	}
	if olds > 0 || news > 0 || len(list) == 0 {
		return nil, fmt.Errorf("setup: %s: the last hunk is incomplete, or there is none", gonbPatch)
	}
	return list, nil
}

// apply returns content with the edit.
func (e edit) apply(content string) (string, error) {
	if n := strings.Count(content, e.old); n != 1 {
		return "", fmt.Errorf("setup: %s:%d: the old text of this hunk occurs %d times in %s of GoNB, expected once; "+
			"%s/go.mod may pin another version", gonbPatch, e.line, n, e.file, toolsDir)
	}
	return strings.Replace(content, e.old, e.new, 1), nil
}

// patchGoNB makes the folder dir, copies the pinned GoNB to dir/gonb, applies gonbPatch, and returns a go.mod in dir
// with which the go command builds the tools from the copy. goTool is the path of the go command.
func patchGoNB(ctx context.Context, goTool, root, dir string) (modfile string, err error) {
	tools := filepath.Join(root, toolsDir)
	for _, name := range []string{"go.mod", "go.sum"} { // the go command may add lines to these copies
		content, err := os.ReadFile(filepath.Join(tools, name))
		if err != nil {
			return "", fmt.Errorf("setup: %w", err)
		}
		if err := writeFile(filepath.Join(dir, name), content); err != nil {
			return "", err
		}
	}
	modfile = filepath.Join(dir, "go.mod")
	run := func(args ...string) (string, error) {
		cmd := command(ctx, goTool, args...)
		cmd.Dir = tools
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=")
		var stderr strings.Builder
		cmd.Stderr = &stderr
		output, err := cmd.Output()
		if err != nil {
			return "", commandError(ctx, "fetch GoNB (the first time needs the network): go "+args[0], err,
				stderr.String())
		}
		return strings.TrimSpace(string(output)), nil
	}
	if _, err := run("mod", "download", "-modfile="+modfile, gonbPath); err != nil {
		return "", err
	}
	from, err := run("list", "-m", "-modfile="+modfile, "-f", "{{.Dir}}", gonbPath)
	if err != nil {
		return "", err
	}
	to := filepath.Join(dir, "gonb")
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return "", fmt.Errorf("setup: copy GoNB: %w", err)
	}
	if err := applyPatch(root, to); err != nil {
		return "", err
	}
	mod, err := os.ReadFile(modfile)
	if err != nil {
		return "", fmt.Errorf("setup: %w", err)
	}
	// The name of a folder may contain spaces.
	replace := "\nreplace " + gonbPath + " => " + strconv.Quote(to) + "\n"
	return modfile, writeFile(modfile, []byte(string(mod)+replace))
}

// applyPatch applies gonbPatch of the checkout root to the copy of GoNB in dir.
func applyPatch(root, dir string) error {
	patch, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(gonbPatch)))
	if err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	list, err := parseDiff(string(patch))
	if err != nil {
		return err
	}
	for _, e := range list {
		file := filepath.Join(dir, filepath.FromSlash(e.file))
		content, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("setup: %w", err)
		}
		patched, err := e.apply(string(content))
		if err != nil {
			return err
		}
		if err := os.Chmod(file, 0o644); err != nil { // the module cache is read-only
			return fmt.Errorf("setup: %w", err)
		}
		if err := os.WriteFile(file, []byte(patched), 0o644); err != nil {
			return fmt.Errorf("setup: %w", err)
		}
	}
	return nil
}
