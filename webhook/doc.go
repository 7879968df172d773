// Package webhook sends events to subscribers: the signature that a receiver
// verifies, an HTTP client that reaches public addresses only, and the schedule
// of its attempts.
package webhook
