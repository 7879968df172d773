// Package batches is notes that are issued together: lines of a spreadsheet, and notes that recur each month. Each line
// becomes one accepted note, by a workflow.
package batches
