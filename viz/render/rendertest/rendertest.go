// Package rendertest helps tests of pages: it finds a browser, opens a page in it without a window, and returns what
// the page reports. The test writes a page whose script computes a report, for example the sizes of texts, and checks
// it:
//
//	address := rendertest.WritePage(t, "axes.html", content) // an element with the id "report" holds REPORT {…} END
//	var widths map[string]float64
//	rendertest.ReadReport(t, address, &widths)
//
// BrowserPath skips a test on a machine without Chromium. FontVariables gives the browser other fonts.
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

// BrowserPath returns the path of a browser: the one that MKL_BROWSER names or, if the variable is not set, Chromium or
// Chrome on PATH. If there is none, the test is skipped, or fails if MKL_REQUIRE=all.
func BrowserPath(t testing.TB) string {
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
	testenv.SkipWithout(t, fmt.Sprintf("no browser: none of %s is on PATH; install chromium or name one by MKL_BROWSER",
		strings.Join(names, ", ")))
	return ""
}

// FontVariables returns environment variables for a browser, one for each set of fonts. With the variable, the browser
// finds only these fonts. "Arial" is a set whose letters have the widths of Arial; "DejaVu" is a set with wider
// letters, as on a computer without Arial. DejaVu is omitted if it is not installed.
func FontVariables(t testing.TB) map[string]string {
	t.Helper()
	arialFolder := t.TempDir()
	for name, ttf := range map[string][]byte{"LiberationSans-Regular.ttf": liberationsansregular.TTF,
		"LiberationSans-Bold.ttf": liberationsansbold.TTF} {
		writeFile(t, filepath.Join(arialFolder, name), string(ttf))
	}
	fonts := map[string]string{"Arial": fontconfigSetting(t, arialFolder)}
	for _, dir := range []string{"/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu",
		"/usr/share/fonts/dejavu-sans-fonts", "/usr/share/fonts/TTF"} {
		if _, err := os.Stat(filepath.Join(dir, "DejaVuSans.ttf")); err == nil {
			fonts["DejaVu"] = fontconfigSetting(t, dir)
			break
		}
	}
	return fonts
}

// fontconfigSetting returns the environment variable NAME=value with which fontconfig finds only the fonts of folder.
func fontconfigSetting(t testing.TB, folder string) string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "fonts.conf")
	writeFile(t, file, fmt.Sprintf(`<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">`+
		`<fontconfig><dir>%s</dir><cachedir>%s</cachedir></fontconfig>`, folder, filepath.Join(dir, "cache")))
	return "FONTCONFIG_FILE=" + file
}

// WritePage writes a page to a file and returns its address. The file is stored under this name in the folder that
// MKL_ARTIFACTS names, or in a temporary folder if the variable is not set.
func WritePage(t testing.TB, name, content string) string {
	t.Helper()
	dir := os.Getenv("MKL_ARTIFACTS")
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
	writeFile(t, file, content)
	return "file://" + file
}

// ReadReport opens a page in a browser without a window and decodes the report of the page into v. The report is the
// text of the HTML element with the id "report": REPORT, then JSON, then END. The browser has the environment variables
// of the test, and those in env.
func ReadReport(t testing.TB, address string, v any, env ...string) {
	t.Helper()
	browser := BrowserPath(t)
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
	report, _, hasEnd := strings.Cut(report, "END</pre>")
	if !ok || !hasEnd {
		t.Fatalf("the page contains no report: %.400s", out)
	}
	if err := json.Unmarshal([]byte(html.UnescapeString(report)), v); err != nil {
		t.Fatalf("%v: %.400s", err, report)
	}
}

func writeFile(t testing.TB, file, content string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
