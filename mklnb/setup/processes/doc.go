// Package processes runs the commands of notebook cells in process groups of their own, and ends them when the reader
// presses the stop button: by SIGINT, then SIGTERM, then SIGKILL.
//
//	Group       puts a command, and all that it starts, into one group
//	Stop        ends a group
//	AwaitRead   returns when a command waits for input, so that the notebook can ask for it
//	Shown       reads the output of a cell; Wait returns when everything that was written has been displayed
//
// Setup copies the package into GoNB (gonb.patch), so it imports only the standard library and golang.org/x/sys. It is
// empty on Windows, where the kernel does not run.
package processes
