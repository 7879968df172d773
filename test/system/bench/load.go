package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"emissor/test/generate"
	"emissor/test/harness"
)

// caller is an organization that issues in one environment.
type caller struct {
	api     harness.Client
	service string
}

func (i *installation) caller(organization harness.Organization, live bool) caller {
	c := caller{api: harness.Client{Base: i.api.URL, Key: organization.TestKey}, service: organization.TestService}
	if live {
		c.api.Key, c.service = organization.LiveKey, organization.LiveService
	}
	return c
}

// issue has a note accepted and returns its id.
func (c caller) issue(ctx context.Context, n int) (id string, err error) {
	body := harness.Issuance(c.service, generate.UsualReference(n))
	customer := body["customer"].(map[string]any)
	customer["document"], customer["name"] = cpf(n), generate.UsualName(n)
	var accepted struct{ ID string }
	answer, err := c.api.Call(ctx, http.MethodPost, "/v1/nfse", body)
	if err == nil && answer.Status != http.StatusAccepted {
		err = fmt.Errorf("POST /v1/nfse answered %d: %s", answer.Status, answer.Body)
	}
	if err != nil {
		return "", err
	}
	return accepted.ID, answer.Decode(&accepted)
}

func (c caller) cancel(ctx context.Context, id string) error {
	return c.api.Must(ctx, http.MethodPost, "/v1/nfse/"+id+"/cancel",
		map[string]string{"reason_code": "1", "reason_text": "emitida com o valor errado"}, nil)
}

// list gets the first page of notes.
func (c caller) list(ctx context.Context) error {
	return c.api.Must(ctx, http.MethodGet, "/v1/nfse?limit=100", nil, nil)
}

// acceptors is how many clients have a backlog accepted.
const acceptors = 16

// accept has notes accepted, by the callers in turn; their references are numbered from first.
func accept(ctx context.Context, first, count int, callers ...caller) error {
	return each(ctx, count, acceptors, func(ctx context.Context, n int) error {
		_, err := callers[n%len(callers)].issue(ctx, first+n)
		return err
	})
}

// each does something so many times, so many at once.
func each(ctx context.Context, count, atOnce int, do func(ctx context.Context, n int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for n := range count {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error { return do(ctx, n) })
	}
	return group.Wait()
}

// cpf is a valid CPF, another for each n.
func cpf(n int) string {
	digits := fmt.Sprintf("%09d", 100_000_000+n%800_000_000)
	for length := range 2 {
		sum := 0
		for i, digit := range digits {
			sum += int(digit-'0') * (10 + length - i)
		}
		digits += fmt.Sprint(sum * 10 % 11 % 10)
	}
	return digits
}

// cnpj is a valid CNPJ, another for each n from 1 on.
func cnpj(n int) string {
	digits := fmt.Sprintf("11222333%04d", n)
	for range 2 {
		sum := 0
		for i, digit := range digits {
			sum += int(digit-'0') * (2 + (len(digits)-1-i)%8)
		}
		check := 11 - sum%11
		if check > 9 {
			check = 0
		}
		digits += fmt.Sprint(check)
	}
	return digits
}

// settlePause is how often the database is asked what has ended.
const settlePause = 250 * time.Millisecond

// drainTimeout ends the wait for what never ends.
const drainTimeout = 15 * time.Minute

// awaitNone waits until a query counts nothing any more, at most for drainTimeout.
func (i *installation) awaitNone(ctx context.Context, query string) error {
	ctx, cancel := context.WithTimeout(ctx, drainTimeout)
	defer cancel()
	for {
		var open int
		if err := i.database.SQL.GetContext(ctx, &open, query); err != nil || open == 0 {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d are still open: %w", open, context.Cause(ctx))
		case <-time.After(settlePause):
		}
	}
}

// What is still open. Each walks an index of what is unfinished.
const (
	openNotes      = `SELECT count(*) FROM notes WHERE status IN ('queued', 'processing')`
	openDeliveries = `SELECT count(*) FROM deliveries WHERE status = 'pending'`
)
