package model_test

import (
	"strings"
	"testing"
)

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
