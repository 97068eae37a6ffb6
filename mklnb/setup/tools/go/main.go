// Go stands before the go command on a kernel's PATH and makes cells that use this library start
// sooner. GoNB runs "go get" and "go build -o FILE" for every cell, and both look at the sources of
// every package that the cell links to find, each time, that none has changed: half of what a cell
// takes. Here the first build of the day is the go command's own; afterwards a recipe is kept of where
// the compiled packages are, and while nothing that it rests on has changed a cell is compiled and
// linked as the go command would have it, without asking it.
//
// What a recipe rests on is read each time, by content: every file of the checkout's packages that a
// cell links, go.mod, go.sum, go.work, and the environment. Packages of the module cache and of Go are
// immutable. A recipe is good for one day, because the go command removes from its cache what it has not
// used for five. Whatever is out of the ordinary, and everything else that is asked of the go command,
// goes to the go command: a cell that does not compile too, so the messages are its own. Cells that do not
// use this library are not touched. MKL_GO=plain turns all this off.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
)

func main() {
	code, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// run does what the go command does with these arguments, and returns its exit status.
func run(args []string) (int, error) {
	real, err := realGo()
	if err != nil {
		return 0, err
	}
	get := slices.Equal(args, []string{"get"})
	build := len(args) == 3 && args[0] == "build" && args[1] == "-o"
	if !get && !build || os.Getenv("MKL_GO") == "plain" {
		return 0, become(real, args)
	}
	c, ok := readCell(real)
	if !ok {
		return 0, become(real, args)
	}
	r := c.recipe()
	if get {
		if r != nil && r.knows(c.imports) && os.Getenv("GOPROXY") == "off" {
			return 0, nil // there is nothing to get, and nowhere to get it from
		}
		return 0, become(real, args)
	}
	if r != nil && !r.fresh() {
		r = nil
	}
	if r != nil && r.knows(c.imports) && r.build(args[2]) == nil {
		return 0, nil
	}
	code, err := child(real, args)
	if err == nil && code == 0 {
		c.record(r, args[2]) // where this cannot be done the next cell is as slow as this one
	}
	return code, err
}

// realGo is the go command: the first on PATH that is not this program.
func realGo() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	me, err := os.Stat(self)
	if err != nil {
		return "", err
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		path := filepath.Join(dir, "go")
		info, err := os.Stat(path)
		if err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 && !os.SameFile(info, me) {
			return path, nil
		}
	}
	return "", errors.New("go: no go command on PATH after " + self)
}

// become is the go command from now on.
func become(real string, args []string) error {
	return syscall.Exec(real, append([]string{real}, args...), os.Environ())
}

// child runs the go command and returns its exit status.
func child(real string, args []string) (int, error) {
	cmd := exec.Command(real, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := cmd.Run()
	if failed := new(exec.ExitError); errors.As(err, &failed) {
		return max(1, failed.ExitCode()), nil
	}
	return 0, err
}
