// Package setup finds or makes what a notebook of this checkout needs, outside the checkout:
//
//	CacheDir    where it is kept: MKL_CACHE, else the user's cache folder + "mkl"
//	Root        the checkout this package was compiled from
//	Renderer    the program that draws figures, so that no cell links a plotting library
//	Ensure      Python with JupyterLab, GoNB (edited: gonb.go) with its tools, a warm build cache, the renderer
//	Execute     one notebook from top to bottom without a browser
//	Install     a kernel spec with absolute paths, for an image
//
// Everything made is named by a hash of what it is made from, made in a temporary place or
// without its marker, and renamed or marked at the end: an interrupted set-up leaves nothing
// that a later one would take for whole. Two set-ups at once wait for each other. The second
// start finds the markers and costs milliseconds.
//
// The package is linked into every cell by way of [Renderer], so it imports the standard
// library and algos/store only and nothing that brings net/http; what a cell does not call costs
// it nothing.
package setup
