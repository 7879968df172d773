package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"emissor/fiscal/certificate"
	"emissor/internal/seal"
	"emissor/nfse"
	"emissor/store"
	"emissor/store/companies"
	"emissor/store/postgres"
	"emissor/test/harness"
)

// measureCompanies drains live notes of one company, of 200 and of many, by one worker, in turn in one installation:
// what is kept for each company, and what a connection of its own costs, shows in the figures of many.
func (b *bench) measureCompanies(ctx context.Context) (err error) {
	i, err := b.install(ctx, needs{live: true})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, i.close(context.WithoutCancel(ctx))) }()
	if err := i.copyCompany(ctx, b.options.companies-1); err != nil {
		return err
	}
	accepted := 0
	for range 3 {
		for _, companies := range slices.Compact([]int{1, min(200, b.options.companies), b.options.companies}) {
			if err := b.measureCompaniesOf(ctx, i, live(i)[:companies], accepted); err != nil {
				return err
			}
			accepted += b.options.live
		}
	}
	return nil
}

// measureCompaniesOf drains notes of the callers in turn, whose references are numbered from first.
func (b *bench) measureCompaniesOf(ctx context.Context, i *installation, callers []caller, first int) error {
	if err := accept(ctx, first, b.options.live, callers...); err != nil {
		return err
	}
	if err := i.startWorkers(ctx, 1); err != nil {
		return err
	}
	cpu, err := b.startCPU(ctx, i)
	if err != nil {
		return err
	}
	began := time.Now()
	if err := i.awaitNone(ctx, openNotes); err != nil {
		return err
	}
	used, err := cpu.used(ctx)
	if err != nil {
		return err
	}
	var ends []time.Time
	if err := i.database.SQL.SelectContext(ctx, &ends, `SELECT issued_at FROM notes WHERE issued_at > $1
		ORDER BY issued_at`, began); err != nil {
		return err
	}
	worker := i.workers[0]
	memory, err := mostMemory(worker.PID())
	if err := errors.Join(err, worker.Stop(stopPatience)); err != nil {
		return err
	}
	i.workers = nil
	a := func(d time.Duration) string { return significant(d.Seconds()*1000/float64(b.options.live)) + " ms" }
	b.report.add(result{name: fmt.Sprintf("%d live notes, 1 worker, companies: %d", b.options.live, len(callers)),
		rate: speeds(began, ends).rate,
		detail: fmt.Sprintf("a note: worker %s, PostgreSQL %s; the worker's memory %.0f MB", a(used[cpuWorker]),
			a(used[cpuEmissorDatabase]), memory/1e6)})
	return nil
}

// copyCompany gives an installation so many companies more, each with what its first one has and a certificate of its
// own: by statements and the product's packages, because commands would take a second for each.
func (i *installation) copyCompany(ctx context.Context, more int) error {
	database, err := store.Open(ctx, postgres.Config{URL: i.database.URL, MaxConnections: 4,
		StatementTimeout: time.Minute, Application: "bench"})
	if err != nil {
		return err
	}
	defer database.Close()
	var keyset string
	for _, setting := range i.Environment {
		if file, is := strings.CutPrefix(setting, "EMISSOR_KEYSET_FILE="); is {
			keyset = file
		}
	}
	sealer, err := seal.Open(seal.Source{File: keyset})
	if err != nil {
		return err
	}
	profile, err := database.Companies.FiscalProfile(ctx, i.organizations[0].ID)
	if err != nil {
		return err
	}
	copied := &copies{installation: i, store: database, sealer: sealer, profile: profile, first: len(i.organizations) + 1}
	err = each(ctx, more, 4, copied.add)
	i.organizations = append(i.organizations, copied.made...)
	return err
}

type copies struct {
	*installation
	store   *store.Store
	sealer  *seal.Sealer
	profile nfse.FiscalProfile
	first   int // number of the first CNPJ that nobody has

	mu   sync.Mutex
	made []harness.Organization
}

// copyRows copy the first company's rows in a table. What a row has of its own is a JSON object of the columns.
const copyRows = `WITH copied AS (
		INSERT INTO %[1]s SELECT (jsonb_populate_record(NULL::%[1]s, to_jsonb(own) || $2::jsonb)).*
		FROM %[1]s own WHERE %[2]s = $1 RETURNING 1
	) SELECT count(*) FROM copied`

func (c *copies) add(ctx context.Context, n int) error {
	first := c.organizations[0]
	o := harness.Organization{ID: nfse.NewID(nfse.PrefixOrganization), LiveKey: nfse.NewAPIKeyText(true),
		LiveService: nfse.NewID(nfse.PrefixService)}
	document := cnpj(c.first + n)
	for _, row := range []struct {
		table, column, of string
		own               map[string]any
	}{
		{"organizations", "id", first.ID, map[string]any{"id": o.ID}},
		{"api_keys", "livemode AND organization_id", first.ID, map[string]any{
			"id": nfse.NewID(nfse.PrefixAPIKey), "organization_id": o.ID,
			"hash": `\x` + fmt.Sprintf("%x", nfse.HashAPIKey(o.LiveKey))}},
		{"services", "id", first.LiveService, map[string]any{"id": o.LiveService, "organization_id": o.ID}},
		{"service_classifications", "service_id", first.LiveService, map[string]any{
			"service_id": o.LiveService, "organization_id": o.ID}},
	} {
		own, err := nfse.Marshal(row.own)
		if err != nil {
			return err
		}
		var copied int
		if err := c.database.SQL.GetContext(ctx, &copied, fmt.Sprintf(copyRows, row.table, row.column), row.of,
			string(own)); err != nil || copied != 1 {
			return fmt.Errorf("%s: %d rows, %w", row.table, copied, err)
		}
	}
	profile := c.profile
	profile.OrganizationID, profile.TaxID = o.ID, nfse.TaxID(document)
	operator := c.store.By(nfse.Actor{Kind: nfse.ActorCommand, ID: "bench", From: "bench"})
	if err := operator.Companies.ClaimTaxID(ctx, o.ID, profile.IssuerKey()); err != nil {
		return err
	}
	if err := operator.Companies.SetFiscalProfile(ctx, profile); err != nil {
		return err
	}
	if err := c.certify(ctx, operator, o.ID, document); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made = append(c.made, o)
	return nil
}

func (c *copies) certify(ctx context.Context, operator *store.Changes, organizationID, document string) error {
	password := rand.Text()
	pfx, err := c.simulator.Certificate(ctx, document, organizationID, password)
	if err != nil {
		return err
	}
	bundle, err := certificate.ReadPFX(pfx, password)
	if err != nil {
		return err
	}
	content, err := bundle.Marshal()
	if err != nil {
		return err
	}
	id, err := c.store.Companies.CertificateID(ctx, organizationID, bundle.Fingerprint())
	if err != nil {
		return err
	}
	sealed, err := c.sealer.Seal(content, organizationID, id)
	if err != nil {
		return err
	}
	_, err = operator.Companies.AddCertificate(ctx, companies.Certificate{
		ID: id, OrganizationID: organizationID, TaxID: nfse.TaxID(document), Subject: bundle.Leaf.Subject.CommonName,
		Issuer: bundle.Leaf.Issuer.CommonName, Serial: bundle.Leaf.SerialNumber.String(),
		Fingerprint: bundle.Fingerprint(), NotBefore: nfse.Timestamp{Time: bundle.Leaf.NotBefore},
		NotAfter: nfse.Timestamp{Time: bundle.Leaf.NotAfter}, Sealed: sealed, ChainVerified: true,
	})
	return err
}
