// Package setup finds or makes the environment of the notebooks of this checkout, in a cache folder outside the
// checkout (MKL_CACHE, or mkl in the user's cache folder):
//
//	FindCheckout       the checkout from which this package was compiled
//	EnsureRenderer     the program that draws figures, so that cells do not link a plotting library
//	Ensure             Python with JupyterLab, patched GoNB (tools/gonb.patch), goimports, a build cache, the renderer
//	Env.LabCommand     the command of JupyterLab
//	Env.Execute        runs one notebook from top to bottom without a browser
//	InstallKernelSpec  method of Env: writes a kernel spec with absolute paths, for an image or another Jupyter server
//	BuildTools         builds only GoNB and goimports, for a Docker image
//	BuildGopls         builds gopls, which completes names in cells
//
// Setup needs the go command, Python 3.10 or newer with its module venv, git, and the first time a network.
//
// # How a cell is built
//
// GoNB is a Jupyter kernel for Go. Jupyter starts it as notebooks/jupyter/kernels/mkl/kernel.json states. GoNB makes a
// temporary module and a go.work that uses the checkout. A cell can therefore import the packages of the checkout, in
// their current state on disk, and every module of its go.mod. For each cell, GoNB
//
//  1. runs the lines that begin with % and !, except lines inside raw strings and comments,
//  2. puts statements outside functions into a function main (package cells), and writes the stored declarations of
//     earlier cells and those of this cell to main.go,
//  3. lets the variables last (package cells): checks the types, adds imports, and writes a second file, by which the
//     program reads the variables of earlier cells that the cell names, and writes its own when it ends (package kept),
//  4. runs go build, and go get only if go build could not load an import,
//  5. runs the program, with pipes for its displays,
//  6. learns which variables the program has written, and why it has not written others.
//
// The files of the variables are in a folder of the kernel, with mode 0700, which is removed when the kernel ends or,
// if it was killed, when the next one starts. All variables may take 500 MB.
//
// A cell that imports nothing new fetches nothing. Nothing else is stored between two cells except in the go command's
// build cache. The output of a cell therefore depends on the current state of everything from which it is built, as
// with GoNB itself: source files, embedded files, modules added to go.work, GOAMD64, the Go installation.
//
// The kernel sets these variables: GOFLAGS omits debug information and version control, which halves the link time;
// CGO_ENABLED=0 removes the need for a C compiler; GOPROXY and GOSUMDB are off, so a cell fetches nothing unasked.
// MKL_GO=plain, in the environment or by %env in a cell, restores GoNB's own way to build: go get before go build, and
// go build with the usual GOGC instead of GOGC=400.
//
// Each part of tools/gonb.patch states why it is needed and what happens without it. Setup applies it by git apply; a
// version of GoNB that a part does not fit is an error. upstream.md contains issues to be sent to the authors of GoNB.
//
// For each cell, the go command checks the sources of some 140 packages and links a program, which contains everything
// that package mklnb imports. The table in algos/imports_test.go therefore excludes net/http, html/template, crypto,
// regexp and all plotting packages from mklnb.
//
// # The cache folder
//
// The name of each result contains a hash of its inputs. Setup builds a result in a temporary folder and renames the
// folder at the end, or writes a marker file at the end. A later setup therefore never uses an unfinished result. Two
// setups at the same time wait for each other. If setup or a server is killed, all processes that it started end too. A
// second setup takes about a second.
//
//	python-HASH    JupyterLab, from requirements.txt
//	tools-HASH     gonb, goimports and, if BuildGopls has built it, gopls
//	warm-HASH      a marker: the modules of this checkout were fetched
//	renderer-HASH  the program that draws figures
//	jupyter/       files of the server: settings of this checkout, cookie secret, open files, trusted notebooks
//
// The cache folder can be deleted when no notebook is open; the next setup makes what is missing.
//
// Package setup is linked into every cell because mklnb calls [EnsureRenderer]. It therefore imports only the
// standard library, algos/store and github.com/gofrs/flock, and no package that imports net/http.
package setup
