package setup

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// kernelSpec is Jupyter's kernel.json.
type kernelSpec struct {
	Argv          []string          `json:"argv"`
	DisplayName   string            `json:"display_name"`
	Language      string            `json:"language"`
	InterruptMode string            `json:"interrupt_mode"`
	Env           map[string]string `json:"env"`
}

// specDir is the folder of the kernel spec in the checkout.
func specDir(root string) string {
	return filepath.Join(root, "notebooks", "jupyter", "kernels", KernelName)
}

// readSpec reads the kernel spec of the checkout.
func readSpec(root string) (*kernelSpec, error) {
	path := filepath.Join(specDir(root), "kernel.json")
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("setup: kernel spec: %w", err)
	}
	var s kernelSpec
	if err := json.Unmarshal(content, &s); err != nil {
		return nil, fmt.Errorf("setup: kernel spec %s: %w", path, err)
	}
	return &s, nil
}

// Install writes the kernel spec into dir/kernels/mkl, with absolute paths in the place of those
// that JUPYTER_PATH and PATH resolve on a desk; dir is a data folder of Jupyter, one of those
// that jupyter --paths lists. Everything else beside kernel.json (chart library, licences,
// logos) is copied with it. It returns the folder written. A spec there that names another checkout is replaced,
// and say told; the tools are marked (installed), so that they are not pruned.
func (e *Env) Install(dir string, say func(string)) (string, error) {
	say = orQuiet(say)
	spec, err := readSpec(e.Root)
	if err != nil {
		return "", err
	}
	if len(spec.Argv) == 0 {
		return "", fmt.Errorf("setup: kernel spec: argv is empty, expected gonb and its arguments")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("setup: install: %w", err)
	}
	to := filepath.Join(abs, "kernels", KernelName)
	from := specDir(e.Root)
	entries, err := os.ReadDir(from)
	if err != nil {
		return "", fmt.Errorf("setup: install: %w", err)
	}
	for _, entry := range entries {
		if entry.IsDir() || entry.Name() == "kernel.json" {
			continue
		}
		content, err := os.ReadFile(filepath.Join(from, entry.Name()))
		if err != nil {
			return "", fmt.Errorf("setup: install: %w", err)
		}
		if err := writeWhole(filepath.Join(to, entry.Name()), content, 0o644); err != nil {
			return "", err
		}
	}
	spec.Argv[0] = filepath.Join(e.Tools, "gonb")
	file := filepath.Join(to, "kernel.json")
	if content, err := os.ReadFile(file); err == nil {
		var old kernelSpec
		if err := json.Unmarshal(content, &old); err != nil {
			return "", fmt.Errorf("setup: install: %s is there and is no kernel spec: %w", file, err)
		}
		for _, arg := range old.Argv {
			if root, ok := strings.CutPrefix(arg, workFlag); ok && root != e.Root {
				say("the kernel " + KernelName + " there was that of the checkout " + root + ", and is this one's now")
			}
		}
	}
	for i, arg := range spec.Argv {
		if strings.HasPrefix(arg, workFlag) {
			spec.Argv[i] = workFlag + e.Root
		}
	}
	path := e.Tools
	if e.Gopls != "" {
		path += ":" + e.Gopls
	}
	spec.Env["PATH"] = path + ":" + filepath.Dir(e.Go) + ":${PATH}"
	spec.Env["MKL_CACHE"] = e.Cache
	content, err := json.MarshalIndent(spec, "", "  ")
	if err != nil {
		return "", fmt.Errorf("setup: install: %w", err)
	}
	// Last, so that a spec is there only with what it needs.
	if err := writeWhole(file, append(content, '\n'), 0o644); err != nil {
		return "", err
	}
	if filepath.Dir(e.Tools) != e.Cache {
		return to, nil
	}
	return to, writeWhole(filepath.Join(e.Tools, installedBy+checksum(file)), []byte(file), 0o644)
}

// installedBy begins the names of the files beside the tools that each hold the path of a kernel spec which names
// them.
const installedBy = "installed-"

// installed reports whether a kernel spec that Install wrote still names the tools in dir.
func installed(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), installedBy) {
			continue
		}
		path, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			continue
		}
		var spec kernelSpec
		content, err := os.ReadFile(string(path))
		if err == nil && json.Unmarshal(content, &spec) == nil && len(spec.Argv) > 0 &&
			filepath.Dir(spec.Argv[0]) == dir {
			return true
		}
	}
	return false
}

// checksum is a name for a text.
func checksum(text string) string {
	f := newFingerprint()
	f.add("text", []byte(text))
	return f.String()
}

// workFlag is GoNB's flag that names the checkout cells import.
const workFlag = "-go_work="
