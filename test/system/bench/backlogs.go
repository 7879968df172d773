package main

import (
	"context"
	"fmt"
	"time"

	"emissor/test/harness"
)

// measureBacklogs drains sandbox notes that were accepted while no worker ran.
func (b *bench) measureBacklogs(ctx context.Context) error {
	for _, workers := range []int{1, 2, 4} {
		name := fmt.Sprintf("%d sandbox notes wait, %s", b.options.backlog, plural(workers, "worker"))
		if err := b.addDrain(ctx, name, workers, backlog{count: b.options.backlog, callers: sandbox}); err != nil {
			return err
		}
	}
	return nil
}

// measureWebhooks does the same until each note's event is delivered.
func (b *bench) measureWebhooks(ctx context.Context) error {
	for _, workers := range []int{1, 2} {
		name := fmt.Sprintf("%d sandbox notes with a webhook each, until the last delivery, %s", b.options.webhooks,
			plural(workers, "worker"))
		if err := b.addDrain(ctx, name, workers, backlog{
			count: b.options.webhooks, callers: sandbox, webhook: true,
		}); err != nil {
			return err
		}
	}
	return nil
}

// measureLive drains live notes, at an authority that answers at once and at one
// that takes its time.
func (b *bench) measureLive(ctx context.Context) error {
	const slow = 500 * time.Millisecond
	for _, load := range []struct {
		latency                time.Duration
		workers, organizations int
	}{{0, 1, 1}, {0, 2, 1}, {slow, 1, 1}, {slow, 2, 1}, {slow, 2, 4}} {
		name := fmt.Sprintf("%d live notes of %s at an authority that takes %d ms, %s", b.options.live,
			plural(load.organizations, "organization"), load.latency.Milliseconds(), plural(load.workers, "worker"))
		if err := b.addDrain(ctx, name, load.workers, backlog{
			count: b.options.live, callers: live,
			needs: needs{live: true, latency: load.latency, organizations: load.organizations},
		}); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) addDrain(ctx context.Context, name string, workers int, backlog backlog) error {
	drained, err := b.drain(ctx, backlog, workers)
	if err == nil {
		b.report.add(result{name: name, rate: drained.rate, detail: drained.String()})
	}
	return err
}

func sandbox(i *installation) []caller { return i.callers(false) }

func live(i *installation) []caller { return i.callers(true) }

// callers are all organizations.
func (i *installation) callers(live bool) (callers []caller) {
	for _, organization := range i.organizations {
		callers = append(callers, i.caller(organization, live))
	}
	return callers
}

// subscribe has the events of an organization's live notes, or of its sandbox notes, sent to a receiver
// in this process.
func (i *installation) subscribe(ctx context.Context, organization harness.Organization, live bool) (
	*harness.Receiver, error,
) {
	environment := map[bool]string{true: "live", false: "test"}[live]
	receiver, err := harness.NewReceiver()
	if err != nil {
		return nil, err
	}
	if _, err := i.NewEndpoint(ctx, organization, environment, receiver.URL+"/events"); err != nil {
		receiver.Close()
		return nil, err
	}
	return receiver, nil
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprint(n, " ", what, "s")
}
