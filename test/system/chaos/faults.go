package main

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"emissor/test/harness"
)

// fault is one thing that goes wrong: of what kind, how long after the begin of
// the one before, for how long, and with which process.
type fault struct {
	Kind   string
	Gap    time.Duration
	Length time.Duration
	Target int    // a process of Emissor, counted from 0, or -1 for all, where the kind has one
	Seed   uint64 // of what else there is to choose
}

func (f fault) random() *rand.Rand { return rand.New(rand.NewPCG(f.Seed, 3)) }

// api and worker are the process a fault is about, where it must be of one kind.
func (f fault) api(s *system) *supervised    { return s.apis[f.Seed%uint64(len(s.apis))] }
func (f fault) worker(s *system) *supervised { return s.workers[f.Seed%uint64(len(s.workers))] }

// faultKind is a way in which things go wrong.
type faultKind struct {
	takes   []string // the resources that it takes hold of
	longest func(options) time.Duration
	begin   func(context.Context, *system, fault) error
	end     func(context.Context, *system, fault) error
}

// resources are what only one fault at a time takes hold of, in the order in
// which they are taken.
var resources = []string{"processes", "postgres", "temporal", "network", "authority", "receivers", "zip codes"}

// everythingKilled is the kind that is also the last fault of a run.
const everythingKilled = "everything-killed"

func upTo(longest time.Duration) func(options) time.Duration {
	return func(options) time.Duration { return longest }
}

// graceOf is a share of the authority's grace period: no fault delays a message for
// longer, or else a question that finds nothing would prove nothing.
func graceOf(share float64) func(options) time.Duration {
	return func(o options) time.Duration { return time.Duration(share * float64(o.grace)) }
}

// faultKinds are all the kinds. (Filled by init, because the kinds use what uses
// them.)
var faultKinds map[string]*faultKind

func init() {
	faultKinds = map[string]*faultKind{
		"api-killed": {[]string{"processes"}, upTo(2 * time.Second),
			func(_ context.Context, s *system, f fault) error { f.api(s).down(); return nil },
			func(_ context.Context, s *system, f fault) error { f.api(s).up(); return nil }},
		"api-paused": {[]string{"processes"}, upTo(6 * time.Second),
			func(_ context.Context, s *system, f fault) error { return f.api(s).Pause() },
			func(_ context.Context, s *system, f fault) error { return f.api(s).Resume() }},
		"worker-killed": {[]string{"processes"}, upTo(2 * time.Second),
			func(_ context.Context, s *system, f fault) error { f.worker(s).down(); return nil },
			func(_ context.Context, s *system, f fault) error { f.worker(s).up(); return nil }},
		"worker-paused": {[]string{"processes"}, graceOf(0.4),
			func(_ context.Context, s *system, f fault) error { return f.worker(s).Pause() },
			func(_ context.Context, s *system, f fault) error { return f.worker(s).Resume() }},
		"workers-killed": {[]string{"processes"}, upTo(2 * time.Second), killWorkers, startWorkers},

		"postgres-killed": {[]string{"postgres"}, upTo(2 * time.Second),
			control("kill", harness.PostgreSQL), control("start", harness.PostgreSQL)},
		"postgres-paused": {[]string{"postgres"}, upTo(4 * time.Second),
			control("pause", harness.PostgreSQL), control("resume", harness.PostgreSQL)},
		"temporal-killed": {[]string{"postgres", "temporal"}, upTo(6 * time.Second),
			control("kill", harness.Temporal), control("start", harness.Temporal)},
		"temporal-paused": {[]string{"postgres", "temporal"}, upTo(4 * time.Second),
			control("pause", harness.Temporal), control("resume", harness.Temporal)},
		everythingKilled: {[]string{"processes", "postgres", "temporal"}, upTo(time.Second),
			killEverything, startEverything},

		"network-cut": {[]string{"network"}, upTo(3 * time.Second),
			func(_ context.Context, s *system, f fault) error { s.network.disconnect(f.Target); return nil },
			func(_ context.Context, s *system, f fault) error { return s.network.connect(f.Target) }},
		"network-slow": {[]string{"network"}, upTo(8 * time.Second),
			func(_ context.Context, s *system, f fault) error { return s.network.slow(f.Target, f.random()) }, cure},
		"network-silent": {[]string{"network"}, upTo(5 * time.Second),
			func(_ context.Context, s *system, f fault) error { return s.network.silence(f.Target) }, cure},
		"network-torn": {[]string{"network"}, upTo(5 * time.Second),
			func(_ context.Context, s *system, f fault) error { return s.network.tear(f.Target, f.random()) }, cure},

		"authority-loses":       authorityFails(losing),
		"authority-delays":      authorityFails(delaying),
		"authority-contradicts": authorityFails(contradicting),
		"authority-refuses":     authorityFails(refusing),
		"authority-paused": {[]string{"authority"}, graceOf(0.5),
			func(_ context.Context, s *system, _ fault) error { return s.pause() },
			func(_ context.Context, s *system, _ fault) error { return s.resume() }},

		"settings-refused": {[]string{"postgres", "authority"}, upTo(8 * time.Second), settingsRefused,
			settingsCorrected}, // the correction needs the database

		"receivers-hang": {[]string{"receivers"}, upTo(8 * time.Second), receiversHang, receiversRecover},
		"receivers-fail": {[]string{"receivers"}, upTo(6 * time.Second), receiversFail, receiversRecover},
		"zip-codes-away": {[]string{"zip codes"}, upTo(6 * time.Second),
			func(_ context.Context, s *system, f fault) error {
				s.zips.away.Store(int32(1 + f.Seed%(waysAway-1)))
				return nil
			},
			func(_ context.Context, s *system, _ fault) error { s.zips.away.Store(0); return nil }},
	}
}

// kindNames are the kinds, sorted.
func kindNames() []string { return slices.Sorted(maps.Keys(faultKinds)) }

func control(action, server string) func(context.Context, *system, fault) error {
	return func(ctx context.Context, s *system, _ fault) error { return s.stack.Control(ctx, action, server) }
}

func killWorkers(_ context.Context, s *system, _ fault) error {
	for _, w := range s.workers {
		w.down()
	}
	return nil
}

func startWorkers(_ context.Context, s *system, _ fault) error {
	for _, w := range s.workers {
		w.up()
	}
	return nil
}

func killEverything(ctx context.Context, s *system, _ fault) error {
	for _, part := range s.parts() {
		part.down()
	}
	if err := s.stack.Control(ctx, "kill", harness.Temporal); err != nil {
		return err
	}
	return s.stack.Control(ctx, "kill", harness.PostgreSQL)
}

func startEverything(ctx context.Context, s *system, _ fault) error {
	for _, server := range []string{harness.PostgreSQL, harness.Temporal} {
		if err := s.stack.Control(ctx, "start", server); err != nil {
			return err
		}
	}
	for _, part := range s.parts() {
		part.up()
	}
	return nil
}

func cure(ctx context.Context, s *system, f fault) error {
	s.network.cure(ctx, f.Target)
	return nil
}

// receiversHang lets all calls to about half of the endpoints hang until the
// fault is over.
func receiversHang(_ context.Context, s *system, f fault) error {
	until := time.Now().Add(f.Length)
	s.receiver.Answer(func(path string) harness.Reply {
		if (len(path)+int(path[len(path)-6])+int(f.Seed%2))%2 == 0 {
			return harness.Reply{}
		}
		return harness.Reply{Wait: time.Until(until)}
	})
	return nil
}

// receiversFail answers most calls with what is no success.
func receiversFail(_ context.Context, s *system, f fault) error {
	random := f.random() // the receiver asks under a lock
	s.receiver.Answer(func(string) harness.Reply {
		return harness.Reply{Status: []int{0, 302, 404, 500, 503}[random.IntN(5)]}
	})
	return nil
}

func receiversRecover(_ context.Context, s *system, _ fault) error {
	s.receiver.Answer(nil)
	return nil
}
