package nfse

import "emissor/nfse/fact"

// DeliveryAttempt is one line of the log of a webhook delivery.
type DeliveryAttempt struct {
	StartedAt  Timestamp `db:"started_at" json:"started_at"`
	DurationMS int64     `db:"duration_ms" json:"duration_ms"`
	Status     *int      `db:"status" json:"status"`   // of the answer; nil when there was none
	Answer     string    `db:"answer" json:"answer"`   // its first KiB
	Problem    fact.Fact `db:"problem" json:"problem"` // what went wrong; none on success
}
