package model_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mklnb/mkl/algos/model"
)

// encoded returns the content of the file of m.
func encoded(m *model.Model) ([]byte, error) {
	var b bytes.Buffer
	err := m.Write(&b)
	return b.Bytes(), err
}

// decoded returns the model in the content of a file.
func decoded(b []byte) (*model.Model, error) { return model.Read(bytes.NewReader(b)) }

// sealed returns the text of a model file with the checksum of its content.
func sealed(file []byte) []byte {
	content := bytes.TrimSuffix(file, []byte("}"))
	if i := bytes.LastIndex(file, []byte(`,"sha256":`)); i >= 0 {
		content = file[:i]
	}
	return fmt.Appendf(slices.Clip(content), ",\"sha256\":\"%x\"}\n", sha256.Sum256(content))
}

// must is v, of a call that may not fail.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// errorOf is the error of a call of two results.
func errorOf(_ any, err error) error { return err }

// wantError asks for an error that says want.
func wantError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one with %q", err, want)
	}
}

// write writes text to a file of that name in a new folder and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
