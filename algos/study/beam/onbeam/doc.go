// Package onbeam runs a study, and the passes of the certificate of a big problem, on Apache Beam.
//
//	table, err := onbeam.Study(ctx, s, "/shared/results")
//
// An element of the pipeline is one unit of the study (compare.Unit): a worker runs it on all its cores and keeps its
// results in a store, under keys of what they depend on. So an element that is run twice, again after a failure, or in
// another process finds what is there, and a pipeline that was stopped goes on where it was. The table is made by the
// program that submits, of the store.
//
// The store is a folder that all workers share under the same path, or an address of a filesystem that Beam knows, as
// gs://bucket/results: then a worker computes in a folder of its own and copies the files of its results.
//
// A worker is the program that submits, on another machine: it has its registered types, and neither its flags, its
// globals nor its files. The study and the numbers of its data travel with the pipeline. Keys hold the code, which a
// worker without sources knows from the bytes of its program only: programs for clusters are built with -trimpath. A
// worker whose keys are others than those of the program that submits refuses to run.
//
// One element runs at a time in a process, on all its cores: a runner may begin several at once. A panic in an
// element is an error that names its unit, where it is in the goroutine of the element; in one of the study's own it
// ends the process, as everywhere in Go: a runner begins another one, and prism, which is this process, ends with it.
package onbeam
