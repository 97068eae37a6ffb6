// Package rendertest helps tests that look at pages in a browser.
package rendertest

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"

	"github.com/mklnb/mkl/algos/testenv"
)

// Browser is the path of a browser: the one that MKL_BROWSER names, else Chromium or Chrome. Without one the
// test is skipped, and fails where MKL_REQUIRE=all.
func Browser(t testing.TB) string {
	t.Helper()
	names := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}
	if b := os.Getenv("MKL_BROWSER"); b != "" {
		names = []string{b}
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	testenv.Lacks(t, fmt.Sprintf("no browser: none of %s is on PATH; install chromium or name one by MKL_BROWSER",
		strings.Join(names, ", ")))
	return ""
}

// Fonts has, by their names, variables of the environment of a browser that make it see these fonts alone:
// ones with the widths of Arial, and ones with wider letters, as on a computer without it. Fonts that this
// computer lacks are left out.
func Fonts(t testing.TB) map[string]string {
	t.Helper()
	arial := t.TempDir()
	for name, ttf := range map[string][]byte{"LiberationSans-Regular.ttf": liberationsansregular.TTF,
		"LiberationSans-Bold.ttf": liberationsansbold.TTF} {
		write(t, filepath.Join(arial, name), string(ttf))
	}
	fonts := map[string]string{"Arial": only(t, arial)}
	for _, dir := range []string{"/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu",
		"/usr/share/fonts/dejavu-sans-fonts", "/usr/share/fonts/TTF"} {
		if _, err := os.Stat(filepath.Join(dir, "DejaVuSans.ttf")); err == nil {
			fonts["DejaVu"] = only(t, dir)
			break
		}
	}
	return fonts
}

// only is the variable by which fontconfig sees the fonts of this folder alone.
func only(t testing.TB, folder string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "fonts.conf")
	write(t, file, fmt.Sprintf(`<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">`+
		`<fontconfig><dir>%s</dir><cachedir>%s</cachedir></fontconfig>`, folder, filepath.Join(dir, "cache")))
	return "FONTCONFIG_FILE=" + file
}

// Page writes a page and returns its address. It is kept under this name in the folder that MKL_ARTEFACTS names.
func Page(t testing.TB, name, content string) string {
	t.Helper()
	dir := os.Getenv("MKL_ARTEFACTS")
	if dir == "" {
		dir = t.TempDir()
	}
	dir, err := filepath.Abs(dir)
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, name)
	write(t, file, content)
	return "file://" + file
}

// Report opens a page in a browser with no window, and decodes into v what the page has written: the text of
// its element report, which is REPORT, some JSON, END. The environment is that of the test and env.
func Report(t testing.TB, address string, v any, env ...string) {
	t.Helper()
	browser := Browser(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
		"--allow-file-access-from-files",
		"--user-data-dir="+filepath.Join(t.TempDir(), "profile"), "--window-size=1400,1000",
		"--virtual-time-budget=20000", "--dump-dom", address)
	cmd.Env = append(os.Environ(), env...)
	cmd.WaitDelay = 5 * time.Second
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", browser, err)
	}
	_, report, ok := strings.Cut(string(out), `id="report">REPORT`)
	report, _, end := strings.Cut(report, "END</pre>")
	if !ok || !end {
		t.Fatalf("the page wrote no report: %.400s", out)
	}
	if err := json.Unmarshal([]byte(html.UnescapeString(report)), v); err != nil {
		t.Fatalf("%v: %.400s", err, report)
	}
}

func write(t testing.TB, file, content string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
