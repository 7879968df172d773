package exchange

import (
	"context"
	"testing"
	"time"

	"emissor/fiscal/cities"
	"emissor/workflows"
)

// connecting is what is added to the time of a city's call: see package main of cmd/emissor.
const connecting = 10 * time.Second

// An attempt has the time of three of the longest calls that a city's row may give, and a round of
// questions that of one after its end.
func TestAttempts_LastForLongCalls(t *testing.T) {
	longest := cities.LongestCall + connecting
	if 3*longest+2*stepMargin > workflows.AuthorityAttempt {
		t.Errorf("an attempt of %s is too short for three calls of %s", workflows.AuthorityAttempt, longest)
	}
	if pollStandingsFor+longest+stepMargin > workflows.AskingAttempt {
		t.Errorf("a round of questions of %s is too short for %s and a call of %s", workflows.AskingAttempt,
			pollStandingsFor, longest)
	}
}

// An attempt begins another step only while there is time for both calls that a step may make.
func TestAttempt_HasTimeForAStep(t *testing.T) {
	attempt := exchangeAttempt{authority: "slow", Exchanges: &Exchanges{CallTimeouts: map[string]time.Duration{
		"quick": time.Minute, "slow": 5 * time.Minute}}}
	for left, enough := range map[time.Duration]bool{12 * time.Minute: true, 10 * time.Minute: false} {
		ctx, stop := context.WithTimeout(t.Context(), left)
		if attempt.hasTimeForAStep(ctx) != enough {
			t.Errorf("with %s left there is time: %t", left, !enough)
		}
		stop()
	}
	attempt.authority = "quick"
	ctx, stop := context.WithTimeout(t.Context(), 4*time.Minute)
	defer stop()
	if !attempt.hasTimeForAStep(ctx) || !attempt.hasTimeForAStep(t.Context()) {
		t.Error("there is no time for quick calls, or without an end")
	}
}

// What is held because of an answer is tried again as late as it was held so far, and at least every hour.
func TestHeldPause(t *testing.T) {
	for heldFor, expected := range map[time.Duration]time.Duration{
		0: 30 * time.Second, 10 * time.Second: 30 * time.Second, time.Minute: time.Minute, 20 * time.Minute: 20 * time.Minute,
		48 * time.Hour: time.Hour,
	} {
		pause := (&exchangeAttempt{heldFor: heldFor}).heldPause(30 * time.Second)
		if tenth := expected / 10; pause < expected-tenth || pause > expected+tenth {
			t.Errorf("held for %s, it is tried again after %s", heldFor, pause)
		}
	}
	if pause := (&exchangeAttempt{heldFor: time.Minute}).heldPause(0); pause != 0 {
		t.Errorf("the workflow's own pause is %s", pause)
	}
}
