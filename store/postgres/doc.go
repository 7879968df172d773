// Package postgres is the database below all rooms of the store: connections (postgres.go, connection.go), statements
// that are planned once (prepared.go), transactions, loops over rows of which one must not stop the others
// (rows_apart.go, row_failures.go), lists by page and by month (page.go, cursor.go, months.go), and how documents are
// packed and read back from the archive (packing.go, document_archive.go). An error says whether it is an outage
// (IsUnavailable).
package postgres
