// Package testenv decides which tests of this module run on a machine, from three environment variables, and helps
// tests of many packages. Programs do not import it.
//
//	MKL_TESTS=all    runs also tests that take long, download more, or test other tests
//	MKL_SIZE=full    runs also the full protocols of the papers; used before a release
//	MKL_REQUIRE=all  makes a test fail if this machine lacks something; without it, the test is skipped
//
//	SkipUnlessLong, RunsAllTests   for a test that takes long
//	SkipWithout, PythonCommand     for a test that needs a program, such as python3 with numpy
//	CollectFailures                runs a conformance suite on an implementation with a defect
//	Panic, ErrorText, HeapBytes    what a call panics with; its error; memory in use
//	WriteFiles, CreateModuleProxy  files of a test; modules without a network
//	Race                           whether the race detector is on
package testenv

import (
	"cmp"
	"os"
	"testing"
)

// SkipUnlessLong skips the test unless MKL_TESTS=all is set and the flag -short is not. The program .ci/run searches
// for this call to find the packages with long tests.
func SkipUnlessLong(t testing.TB) {
	t.Helper()
	if testing.Short() || os.Getenv("MKL_TESTS") != "all" {
		t.Skip("this test runs only with MKL_TESTS=all")
	}
}

// RunsAllTests reports whether MKL_SIZE is "full", for which tests run the full protocols of the papers.
func RunsAllTests() bool { return os.Getenv("MKL_SIZE") == "full" }

// SkipWithout skips the test because this machine lacks something. requirement states what is needed, such as "the
// image is built as root". If MKL_REQUIRE=all is set, the test fails instead.
func SkipWithout(t testing.TB, requirement string) {
	t.Helper()
	if os.Getenv("MKL_REQUIRE") == "all" {
		t.Fatalf("%s; MKL_REQUIRE=all makes this an error", requirement)
	}
	t.Skip(requirement)
}

// PythonCommand returns the command of the Python interpreter for tests: the environment variable MKL_PYTHON or, if it
// is empty, python3.
func PythonCommand() string { return cmp.Or(os.Getenv("MKL_PYTHON"), "python3") }
