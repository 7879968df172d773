// Package company is the commands about a company and its notes, a file for each: the organization with its keys and
// people, how it issues, its services and customers, and the notes themselves.
package company
