// Package archive is cold storage: documents of closed months move to a bucket in segments (move.go), are verified and
// removed from the database, are restored (restore.go), and erased where the law wants it (segments_remove.go).
package archive
