// Package acceptance tests the devstack program, and the demo that make run runs in it, from outside: what
// they promise, and that no process or file is left however they end. It has tests only.
package acceptance
