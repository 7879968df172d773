package mtls

import (
	"bytes"
	"net/http"
	"slices"
	"time"

	"emissor/fiscal"
	"emissor/nfse/fact"
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

// The statuses of nginx's own for a client's certificate that does not verify, and for none.
const (
	statusCertificateError    = 495
	statusCertificateRequired = 496
)

// ShutOut reports whether the certificate was not let in. An nginx that is not told to show its own
// statuses shows their pages with 400.
func (r Reply) ShutOut() bool {
	switch r.Status {
	case http.StatusUnauthorized, http.StatusForbidden, statusCertificateError, statusCertificateRequired:
		return true
	}
	return r.Status == http.StatusBadRequest && bytes.HasPrefix(bytes.TrimSpace(r.Body), []byte("<")) &&
		bytes.Contains(r.Body, []byte("SSL certificate"))
}

// ShutOutReason says that the certificate was not let in, which ShutOut reports.
func (r Reply) ShutOutReason() fact.Fact { return fact.CertificateShutOut.With("status", r.Status) }

// certificatePause is the first pause after a certificate was refused. Hosts say so of good ones, too,
// while they are in trouble; the pauses that follow grow.
const certificatePause = 30 * time.Second

// RefusesCertificate is an answer by which the authority does not take our certificate: a person adds
// another one, and until then it is tried again with growing pauses.
func RefusesCertificate(answer fiscal.Answer, why fact.Fact) fiscal.Answer {
	answer.Reason, answer.NeedsPerson = why, fact.AddCertificateItTakes.With("why", why)
	answer.RetryAfter = max(answer.RetryAfter, certificatePause)
	return answer
}

// RefusedUnread reports whether the status says that the request was refused unread: one of
// those that say so everywhere, or one of others that do at this authority.
func (r Reply) RefusedUnread(others ...int) bool {
	return r.ShutOut() || r.Status == http.StatusTooManyRequests || slices.Contains(others, r.Status)
}

// Interpreting waits until one of maxInterpreted slots is free, and takes it until done is called. Defer done, so that
// a panic over an answer frees the slot too, and call no authority before it: that answer would wait for another slot.
func (c *Client) Interpreting() (done func()) {
	c.interpreting <- struct{}{}
	return func() { <-c.interpreting }
}
