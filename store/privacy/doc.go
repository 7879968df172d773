// Package privacy is what the law gives a person: all that is stored about a tax id (customer_export.go), and its
// erasure as far as the law does not keep it (customer_erase.go).
package privacy
