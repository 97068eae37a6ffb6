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

func kernelSpecFolder(root string) string {
	return filepath.Join(root, "notebooks", "jupyter", "kernels", KernelName)
}

func readKernelSpec(root string) (*kernelSpec, error) {
	path := filepath.Join(kernelSpecFolder(root), "kernel.json")
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("setup: read the Jupyter kernel spec: %w", err)
	}
	var s kernelSpec
	if err := json.Unmarshal(content, &s); err != nil {
		return nil, fmt.Errorf("setup: read the Jupyter kernel spec %s: %w", path, err)
	}
	return &s, nil
}

// goWorkFlag is the flag by which GoNB gets the path of the checkout of this repository.
const goWorkFlag = "-go_work="

// InstallKernelSpec writes the kernel spec to folder/kernels/mkl, with absolute paths instead of the paths that
// JUPYTER_PATH and PATH resolve, and copies the files beside it (chart library, licenses, logos). folder is a data
// folder of Jupyter: jupyter --paths lists them. InstallKernelSpec replaces an existing spec, and returns the folder of
// the spec.
func (e *Env) InstallKernelSpec(folder string) (string, error) {
	spec, err := readKernelSpec(e.CheckoutFolder)
	if err != nil {
		return "", err
	}
	if len(spec.Argv) == 0 {
		return "", errors.New("setup: kernel spec: argv is empty; restore kernel.json of the checkout")
	}
	absoluteFolder, err := filepath.Abs(folder)
	if err != nil {
		return "", fmt.Errorf("setup: install the kernel spec: %w", err)
	}
	specFolder := filepath.Join(absoluteFolder, "kernels", KernelName)
	if err := os.RemoveAll(specFolder); err != nil {
		return "", fmt.Errorf("setup: remove the old kernel spec: %w", err)
	}
	if err := os.CopyFS(specFolder, os.DirFS(kernelSpecFolder(e.CheckoutFolder))); err != nil {
		return "", fmt.Errorf("setup: install the kernel spec: %w", err)
	}
	spec.Argv[0] = filepath.Join(e.ToolsFolder, "gonb")
	for i, arg := range spec.Argv {
		if strings.HasPrefix(arg, goWorkFlag) {
			spec.Argv[i] = goWorkFlag + e.CheckoutFolder
		}
	}
	spec.Env["PATH"] = e.ToolsFolder + ":" + filepath.Dir(e.Go) + ":${PATH}"
	spec.Env["MKL_CACHE"] = e.CacheFolder
	content, err := json.MarshalIndent(spec, "", "  ")
	if err != nil {
		return "", fmt.Errorf("setup: install the kernel spec: %w", err)
	}
	return specFolder, writeFile(filepath.Join(specFolder, "kernel.json"), append(content, '\n'))
}
