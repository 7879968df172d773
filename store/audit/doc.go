// Package audit is the log of what people and keys have changed. A room's Changes embed an Author, whose Change and
// ChangeOne do something in one transaction with its entry: a change without one cannot be committed.
package audit
