// Package books is the pages of the books: a month's closing and its files, the ledger.
package books
