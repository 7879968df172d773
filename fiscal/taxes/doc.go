// Package taxes computes what is withheld of a note's price, what its issuer declares of its own
// contributions, and the totals that follow, in integer cents. It reads the declaration alone:
// every authority writes the same amounts in its own form.
//
// It states what the company said. Which service falls under which law is not decided here.
package taxes
