// Package planted breaks Emissor on purpose, one promise at a time, to show that
// chaos sees it: who has never seen a test fail does not know what it tests.
//
// The bugs are in the product's code, each one or two
//
//	if planted.Bug("event-forgotten") { ... }
//
// at the place where it would be made. Without the build tag planted Bug is a
// constant false, and the compiler leaves nothing of it in the program. With it
// the environment variable EMISSOR_PLANTED names the bug that this process has.
package planted
