// Package books is an organization's ledger, the closing of its months, what its books are compared with, and the ZIP
// of a month's documents.
package books
