// Package received is the pages of notes that others issued for a company.
package received
