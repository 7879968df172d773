// Package frame is what all pages of the dashboard have in common: a Request and what is known of it, its session and
// passkey, the table's Route, forms and what is wrong with them, lists and periods, plots, and how a page is
// rendered. The order in which a request passes through it is in the comment of package dashboard.
package frame
