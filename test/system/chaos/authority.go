package main

import (
	"context"
	"fmt"
	"time"

	"emissor/test/simulators/sefin"
)

// authorityFails is the kind that makes the simulator fail in these ways.
func authorityFails(faults func(options) []sefin.Fault) *faultKind {
	return &faultKind{[]string{"authority"}, upTo(8 * time.Second),
		func(ctx context.Context, s *system, f fault) error {
			return s.fail(ctx, sefin.FaultProfile{Seed: f.Seed, Faults: faults(s.options)})
		}, authorityAutoFixes}
}

func authorityAutoFixes(ctx context.Context, s *system, _ fault) error {
	return s.fail(ctx, sefin.FaultProfile{})
}

// losing does what it is asked for, and its answer is lost.
func losing(options) []sefin.Fault {
	return []sefin.Fault{
		{Kind: sefin.Drop, After: true, Probability: 0.25},
		{Kind: sefin.Drop, Probability: 0.1},
		{Kind: sefin.Reset, After: true, Probability: 0.1},
		{Kind: sefin.Reset, Probability: 0.05},
		{Kind: sefin.HalfAnswer, Probability: 0.1},
		{Kind: sefin.Status, Status: 502, Body: "html", After: true, Probability: 0.1},
	}
}

// delaying answers late, and sometimes after nobody waits any more.
func delaying(o options) []sefin.Fault {
	return []sefin.Fault{{
		Kind: sefin.Latency, Delay: sefin.Duration(200 * time.Millisecond),
		Jitter: sefin.Duration(min(authorityTimeout*3/2, o.grace/2)),
	}}
}

// contradicting says one thing and does another.
func contradicting(o options) []sefin.Fault {
	return []sefin.Fault{
		{Kind: sefin.Hide, Scope: sefin.Query, Delay: sefin.Duration(o.grace / 2)},
		{Kind: sefin.Status, Status: 500, After: true, Probability: 0.1},
		{Kind: sefin.OtherDocument, Scope: sefin.Issue, Probability: 0.1},
		{Kind: sefin.TruncatedGzip, Scope: sefin.Issue, Probability: 0.1},
		{Kind: sefin.Variant, Variant: sefin.Capitalised, Probability: 0.1},
		{Kind: sefin.Variant, Variant: sefin.EmptyErro, Probability: 0.1},
		{Kind: sefin.Reject, Scope: sefin.Issue, Code: passing, Probability: 0.1},
		{Kind: sefin.Reject, Scope: sefin.Issue, Code: "E0008", Probability: 0.05},
	}
}

// refusing does nothing, and says so.
func refusing(options) []sefin.Fault {
	return []sefin.Fault{
		{Kind: sefin.Status, Status: 503, Probability: 0.3},
		{Kind: sefin.Status, Status: 429, RetryAfter: "1", Probability: 0.2},
		{Kind: sefin.Reject, Scope: sefin.Issue, Code: passing, Probability: 0.2},
	}
}

// settingsRefused lets the authority refuse the next documents of every company for its settings
// or registers: of the company, of the service, of the note, and what is corrected without a person.
func settingsRefused(ctx context.Context, s *system, f fault) error {
	codes := []string{"E0160", "E0312", "E0025", "E0617", "E0116"}
	random := f.random()
	for i := range s.organizations {
		for range 1 + random.IntN(3) {
			code := codes[random.IntN(len(codes))]
			times := 1 + random.IntN(2)
			for _, one := range s.ofDPS() {
				if err := one.RefuseNext(ctx, cnpj(i), code, times); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// settingsCorrected ends that, and each company corrects its profile: everything that waits goes on.
func settingsCorrected(ctx context.Context, s *system, _ fault) error {
	for _, one := range s.ofDPS() {
		if err := one.EndRefusals(ctx); err != nil {
			return err
		}
	}
	s.corrected++
	for i, o := range s.organizations {
		if err := s.correct(ctx, i, o, fmt.Sprintf("3.%02d", s.corrected%100)); err != nil {
			return err
		}
	}
	return nil
}
