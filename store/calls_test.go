package store_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/nfse/fact"
	"emissor/store/lifecycle"
)

// What a call came to is on record as a fact, and the history of its note says it.
func TestCalls_WhatTheyCameTo(t *testing.T) {
	n, certificate := newIssuer(t)
	for reference, c := range map[string]struct {
		answer fiscal.Answer
		reason fact.Fact
		said   string
	}{
		"refused": {fiscal.Answer{Outcome: fiscal.OutcomeRejected, Rejection: &rejection, Handling: fiscal.Final},
			fact.RefusedWith.With("code", rejection.Code), ": rejected, " + rejection.Code + " ("},
		"broken off": {fiscal.Answer{Outcome: fiscal.OutcomeUnknown, Reason: fact.AnswerBrokeOff.With("status", 200)},
			fact.AnswerBrokeOff.With("status", 200), ": unknown, the answer (200) broke off ("},
		"taken": {fiscal.Answer{Outcome: fiscal.OutcomeAccepted}, fact.Fact{}, ": accepted ("},
	} {
		e, lease := n.signed(t, certificate, reference), newLease(time.Minute)
		leased, call := n.sending(t, e, lease)
		n.expectStep(t, e.NoteID, "authority: issue, cut off")
		_, err := n.Store.Lifecycle.SaveDecision(t.Context(), leased, lease, call, c.answer,
			leased.AfterSending(c.answer, time.Hour), lifecycle.DecisionExtras{})
		must(t, err)
		latest, err := n.Store.Operate.LatestCalls(t.Context(), 1)
		must(t, err)
		if len(latest) != 1 || latest[0].NoteID != e.NoteID || !latest[0].Reason.Equal(c.reason) ||
			latest[0].Outcome != string(c.answer.Outcome) {
			t.Errorf("%s: %+v", reference, latest)
		}
		n.expectStep(t, e.NoteID, "authority: issue"+c.said)
	}
}

// expectStep expects one step of a note that begins so.
func (n tenancy) expectStep(t *testing.T, noteID, begins string) {
	t.Helper()
	history, err := n.Store.Lifecycle.NoteHistory(t.Context(), noteID)
	must(t, err)
	if !slices.ContainsFunc(history.Steps, func(s lifecycle.Step) bool {
		return strings.HasPrefix(s.Fact.English(), begins)
	}) {
		t.Errorf("%q is not among the steps %+v", begins, history.Steps)
	}
}
