package setup

import (
	"encoding/json"
	"errors"
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

// specDir returns the folder of the kernel spec in the checkout.
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

// goWorkFlag is the flag of GoNB for the path of the checkout.
const goWorkFlag = "-go_work="

// Install writes the kernel spec to dir/kernels/mkl, with absolute paths instead of the paths that JUPYTER_PATH and
// PATH resolve, and copies the files beside it (chart library, licenses, logos). dir is a data folder of Jupyter:
// jupyter --paths lists them. Install replaces an existing spec, and returns the folder of the spec.
func (e *Env) Install(dir string) (string, error) {
	spec, err := readSpec(e.Root)
	if err != nil {
		return "", err
	}
	if len(spec.Argv) == 0 {
		return "", errors.New("setup: kernel spec: argv is empty; restore kernel.json of the checkout")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("setup: install: %w", err)
	}
	target := filepath.Join(abs, "kernels", KernelName)
	if err := os.RemoveAll(target); err != nil {
		return "", fmt.Errorf("setup: install: %w", err)
	}
	if err := os.CopyFS(target, os.DirFS(specDir(e.Root))); err != nil {
		return "", fmt.Errorf("setup: install: %w", err)
	}
	spec.Argv[0] = filepath.Join(e.Tools, "gonb")
	for i, arg := range spec.Argv {
		if strings.HasPrefix(arg, goWorkFlag) {
			spec.Argv[i] = goWorkFlag + e.Root
		}
	}
	spec.Env["PATH"] = e.Tools + ":" + filepath.Dir(e.Go) + ":${PATH}"
	spec.Env["MKL_CACHE"] = e.Cache
	content, err := json.MarshalIndent(spec, "", "  ")
	if err != nil {
		return "", fmt.Errorf("setup: install: %w", err)
	}
	return target, writeFile(filepath.Join(target, "kernel.json"), append(content, '\n'))
}
