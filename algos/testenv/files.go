package testenv

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// WriteFiles writes files, given as content by path. The paths are relative to dir and contain slashes. It makes
// missing folders. All files are executable.
func WriteFiles(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// CreateModuleProxy returns a value for GOPROXY: the URL of a new temporary folder with the module example.com/hello
// v1.2.3, which consists of one Go file with the text goSource.
func CreateModuleProxy(t testing.TB, goSource string) (url string) {
	t.Helper()
	const mod = "module example.com/hello\n"
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for name, content := range map[string]string{"go.mod": mod, "hello.go": goSource} {
		w, err := z.Create("example.com/hello@v1.2.3/" + name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(content)) // into memory
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	WriteFiles(t, filepath.Join(dir, "example.com", "hello", "@v"), map[string]string{
		"list": "v1.2.3\n", "v1.2.3.info": `{"Version":"v1.2.3"}`, "v1.2.3.mod": mod, "v1.2.3.zip": archive.String(),
	})
	return "file://" + dir
}
