// Package notes is the notes as they are read: one, a page, a list by many conditions, their documents and messages.
// What changes a note is in package lifecycle.
package notes
