// Package batches is the pages of notes that are issued together: spreadsheets, and notes that recur.
package batches
