// Package setup finds or makes what a notebook of this checkout needs, outside the checkout:
//
//	CacheDir    where it is kept: MKL_CACHE, else the user's cache folder + "mkl"
//	Root        the checkout this package was compiled from
//	Renderer    the program that draws figures, so that no cell links a plotting library
//	Ensure      Python with JupyterLab, GoNB (edited: tools/gonb.patch) its tools, a warm build cache, the renderer
//	Execute     one notebook from top to bottom without a browser
//	Install     a kernel spec with absolute paths, for an image or a server of one's own
//	Tools       GoNB and its tools alone, for an image
//	Completion  gopls, which completes names in cells; Gopls, for an image
//
// # How a cell is built
//
// Jupyter starts GoNB as the kernel spec notebooks/jupyter/kernels/mkl/kernel.json says. GoNB makes a temporary
// module and a go.work beside it that uses the checkout, so a cell imports the checkout's packages, as they are on the
// disk, and every module of its go.mod. For each cell it
//
//  1. runs the lines that begin with % and !,
//  2. joins the declarations of the cells before with those of this one to main.go,
//  3. gives main.go its imports (goimports, as pinned in tools/go.mod),
//  4. runs go build, and go get only where that could not load an import,
//  5. runs the program, with pipes for what it shows.
//
// Steps 3 and 4 are the go command's and goimports' own, with nothing kept between two cells but the go command's
// build cache. What a cell prints therefore follows every file it is built from, embedded ones too, a module added to
// go.work, GOAMD64, another Go installation, and an emptied cache, as in GoNB itself; TestStale of
// ./mklnb/lab/notebooktest asks both.
//
// The kernel's variables: GOFLAGS leaves out what only a debugger reads and the look at version control, which halves
// the link; CGO_ENABLED=0 needs no C compiler; GOPROXY and GOSUMDB are off, so nothing is fetched behind one's back.
// The edits of GoNB are a diff of eleven parts, tools/gonb.patch, with a line of why for each and of what happens
// without it; a version that they do not fit is refused. upstream.md is what GoNB is offered of them.
//
// MKL_GO=plain, in the environment or by %env in a cell, takes back that go build comes before go get, and GOGC=400.
// No program stands before go: in one measurement by turns (2 shared cores, busy; 8 rounds) these two took one line
// from 363 ms to 242, the same cell again from 170 to 114, a chart from 716 to 626, and what else a program before go
// could save it would have to save by knowing better than go what has changed.
//
// What is left is the go command's look at the sources of some 140 packages, and the link. What package mklnb imports
// is linked into every cell, so the import table of ./algos keeps out of it net/http, html/template, crypto, regexp and
// everything that plots; go run ./algos/bench -task cell times cells of this kernel beside GoNB's own.
//
// # What is kept
//
// Everything made is named by a hash of what it is made from, made in a temporary place or
// without its marker, and renamed or marked at the end: an interrupted set-up leaves nothing
// that a later one would take for whole. Two set-ups at once wait for each other; what a set-up or a server has started
// ends when it is killed. The second start finds the markers, looks whether what they vouch for is there (the modules
// in GOMODCACHE, the compiled packages in GOCACHE, programs by their sums), and takes a fraction of a second.
//
//	python-HASH      JupyterLab, of requirements.txt
//	tools-HASH       gonb and goimports
//	gopls-HASH       gopls, where Completion has been asked for
//	warm-HASH-HASH   the marker of a checkout's modules and compiled packages
//	renderer-HASH    the program that draws figures
//	jupyter/         what a server keeps: settings of this checkout, its cookie secret, files open and trusted
//
// What has not been used for 90 days is removed at the next set-up that makes something of its kind, but for tools that
// an installed kernel spec names; what a killed set-up has left unfinished, at the next of its kind.
//
// The package is linked into every cell by way of [Renderer], so it imports the standard
// library and algos/store only and nothing that brings net/http; what a cell does not call costs
// it nothing.
package setup
