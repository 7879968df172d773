// Package acceptance tests the devstack program from outside: its promises to the command it runs, and
// that nothing stays behind however it ends. It holds tests only.
package acceptance
