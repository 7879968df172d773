package mtls

import (
	"net/http"
	"slices"

	"emissor/fiscal"
)

// This file decides the outcome of a call as far as transport and status show it. What
// an authority says in words is read in its own package.

// OfQuestion is the answer to a question when nothing of the reply was read: nothing is
// known. Whether it was delivered does not matter, since a question changes nothing.
func (r Reply) OfQuestion() fiscal.Answer {
	return fiscal.Answer{
		Outcome: fiscal.OutcomeUnknown, Reason: r.Reason, Status: r.Status, RetryAfter: r.RetryAfter,
		NeedsPerson: r.NeedsPerson, Body: slices.Clone(r.Body[:min(len(r.Body), maxKept)]),
	}
}

// OfMessage is the answer to a message when nothing of the reply was read: anything may
// have happened, unless no byte of it left.
func (r Reply) OfMessage() fiscal.Answer {
	answer := r.OfQuestion()
	if !r.Reason.None() && !r.Sent {
		answer.Outcome = fiscal.OutcomeNotDelivered
	}
	return answer
}

// Successful reports whether the status says that what was asked for was done.
func (r Reply) Successful() bool { return r.Status >= 200 && r.Status < 300 }

// ShutOut reports whether the certificate was not let in.
func (r Reply) ShutOut() bool {
	return r.Status == http.StatusUnauthorized || r.Status == http.StatusForbidden
}

// RefusedUnread reports whether the status says that the request was refused unread: one of
// those that say so everywhere, or one of others that do at this authority.
func (r Reply) RefusedUnread(others ...int) bool {
	return r.ShutOut() || r.Status == http.StatusTooManyRequests || slices.Contains(others, r.Status)
}

// Interpret runs read, which interprets an answer, when one of maxInterpreted slots is free.
func (c *Client) Interpret(read func()) {
	c.interpreting <- struct{}{}
	defer func() { <-c.interpreting }()
	read()
}
