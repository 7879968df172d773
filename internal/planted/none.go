//go:build !planted

package planted

// Bug reports whether the process has the bug: never.
func Bug(string) bool { return false }
