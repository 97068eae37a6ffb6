package linalg

// PureGo runs f without the library.
func PureGo(f func()) {
	l := library
	library = nil
	defer func() { library = l }()
	f()
}

// SetLeast sets the size from which on op is for the library and returns what undoes it.
func SetLeast(op Op, size int) (undo func()) {
	was := least[op]
	least[op] = size
	return func() { least[op] = was }
}
