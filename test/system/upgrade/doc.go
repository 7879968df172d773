// Package upgrade goes from the first version to the tree as it is, with a schema that is newer still, and back again,
// process by process and under load, and shows that no request fails and that nothing accepted is lost, doubled or
// stuck. Its tests need a development stack of their own: `make test-long` gives them one.
package upgrade
