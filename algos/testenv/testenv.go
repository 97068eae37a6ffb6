// Package testenv says which tests run, by three variables of the environment:
//
//	MKL_TESTS=all    also those that take long, fetch more, or test the tests
//	MKL_SIZE=full    also those of the papers' full protocols, before a release
//	MKL_REQUIRE=all  a test that lacks something of this machine fails; else it is skipped
//
// Without them go test ./... is what a user runs after a change. The package also runs suites on what is broken
// (Failures), and says whether the race detector is on (Race).
package testenv

import (
	"cmp"
	"os"
	"testing"
)

// Long skips a test that only MKL_TESTS=all asks for; .ci/run finds its package by this call.
func Long(t testing.TB) {
	t.Helper()
	if testing.Short() || os.Getenv("MKL_TESTS") != "all" {
		t.Skip("runs with MKL_TESTS=all")
	}
}

// Full reports whether the papers' full protocols are asked for.
func Full() bool { return os.Getenv("MKL_SIZE") == "full" }

// Lacks skips a test for want of something that it names, or fails it where nothing may be wanting.
func Lacks(t testing.TB, want string) {
	t.Helper()
	if os.Getenv("MKL_REQUIRE") == "all" {
		t.Fatalf("%s (and MKL_REQUIRE=all)", want)
	}
	t.Skip(want)
}

// Python returns the Python for tests that need its packages: MKL_PYTHON, or python3.
func Python() string { return cmp.Or(os.Getenv("MKL_PYTHON"), "python3") }
