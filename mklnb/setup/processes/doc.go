// Package processes runs and ends the commands of cells. Setup copies it into GoNB (gonb.patch), so it imports only the
// standard library and golang.org/x/sys. It is empty on Windows, where the kernel does not run.
package processes
