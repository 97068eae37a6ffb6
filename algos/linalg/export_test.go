package linalg

// Lent is how many goroutines help now, in the whole program.
func Lent() int { return int(activeHelpers.Load()) }

// PureGo runs f without the library.
func PureGo(f func()) {
	l := library
	library = nil
	defer func() { library = l }()
	f()
}
