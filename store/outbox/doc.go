// Package outbox is what was committed and for which a workflow has yet to be started or woken up. Rooms add rows in
// the transaction of what they are about; the dispatch loop claims them (ClaimStarts), starts and removes them. What
// should have moved and has not gets its row again (requeue.go), and what waited for somebody gets one (resume.go).
package outbox
