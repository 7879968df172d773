// Package faults kills what Emissor runs on, its own worker, PostgreSQL and
// Temporal, while notes are issued, and shows that nothing accepted is lost,
// doubled or stuck. Its tests need a development stack of their own:
// `make test` gives them one.
package faults
