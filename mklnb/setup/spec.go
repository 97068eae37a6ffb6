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
// logos) is copied with it. It returns the folder written.
func (e *Env) Install(dir string) (string, error) {
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
	for i, arg := range spec.Argv {
		if strings.HasPrefix(arg, workFlag) {
			spec.Argv[i] = workFlag + e.Root
		}
	}
	spec.Env["PATH"] = e.Tools + ":" + filepath.Dir(e.Go) + ":${PATH}"
	content, err := json.MarshalIndent(spec, "", "  ")
	if err != nil {
		return "", fmt.Errorf("setup: install: %w", err)
	}
	// Last, so that a spec is there only with what it needs.
	return to, writeWhole(filepath.Join(to, "kernel.json"), append(content, '\n'), 0o644)
}

// workFlag is GoNB's flag that names the checkout cells import.
const workFlag = "-go_work="
