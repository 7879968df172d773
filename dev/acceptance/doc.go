// Package acceptance tests the devstack program, and the demo that make run runs in it, from outside: their
// promises, and that nothing stays behind however they end. It holds tests only.
package acceptance
