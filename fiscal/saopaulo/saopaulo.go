// Package saopaulo is the city of São Paulo (Nota Fiscal Paulistana, layout 2) as
// a fiscal.Authority. It joins the packages below it:
//
//   - rps builds and signs what is sent;
//   - nfews sends it, asks about it and interprets the answers;
//   - rules explains the city's rules and checks what can be checked before.
//
// A second sending of one number destroys what the first one made. So the rules of
// an exchange want two questions that find nothing before anything is sent again
// (Capabilities), a number is asked about before it is sent for the first time
// (FindNumbers), and messages of one series are sent one at a time.
package saopaulo

import (
	"cmp"
	"context"
	"log/slog"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/saopaulo/nfews"
	"emissor/fiscal/saopaulo/rps"
	"emissor/fiscal/saopaulo/rules"
	"emissor/fiscal/taxes"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Name is the city's in fiscal profiles, task queues and metrics.
const Name = rules.Name

const (
	// defaultGracePeriod is how long the city may take to show what it made.
	defaultGracePeriod = time.Minute

	// pollEvery is how often an issued note is asked about, because it may have been
	// cancelled on the city's site, and pollFor for how long: the city lets notes be
	// cancelled for 180 days.
	pollEvery, pollFor = 24 * time.Hour, 180 * 24 * time.Hour
)

// Options say how the city is reached and written to.
type Options struct {
	URL  string // of the synchronous service; empty: the city is not served
	SOAP string // version of the envelope: 1.2 or 1.1; empty is 1.2

	// Place says where services were rendered: by the indicator of the operation, which is
	// the default, or where the service says.
	Place Place
	// Tables are those by which services are classified; nil: those that are built in.
	Tables *classification.Source

	Transport   mtls.Options
	GracePeriod time.Duration // see fiscal.Capabilities; default a minute

	Logger *slog.Logger
}

// Place says which city is named as where a service was rendered.
type Place = rules.Place

// The places.
const (
	PlaceByIndicator = rules.PlaceByIndicator
	PlaceOfService   = rules.PlaceOfService
)

// Authority is the city: what it signs is its Signer's, and its calls are the Client's. It implements fiscal.Authority.
type Authority struct {
	rps.Signer
	*nfews.Client
	checker     rules.Checker
	gracePeriod time.Duration
}

var (
	_ fiscal.Authority      = (*Authority)(nil)
	_ fiscal.NumberFinder   = (*Authority)(nil)
	_ fiscal.StandingFinder = (*Authority)(nil)
	_ fiscal.Drafter        = (*Authority)(nil)
	_ fiscal.TotalsComparer = (*Authority)(nil)

	_ fiscal.RegistrationFinder = (*Authority)(nil)
)

// New makes the city reachable. It refuses an address that is no https URL; the
// error begins with the name of the option.
func New(options Options) (*Authority, error) {
	signer := rps.Signer{Place: options.Place}
	client, err := nfews.New(nfews.Options{
		URL: options.URL, SOAP: nfews.SOAP(options.SOAP), Signer: signer, Transport: options.Transport,
		Logger: options.Logger,
	})
	if err != nil {
		return nil, err
	}
	checker := rules.Checker{Tables: classification.NewEditions().On}
	if options.Tables != nil {
		checker.Tables = func(day string) classification.Tables { return options.Tables.Editions().On(day) }
		checker.Reload = options.Tables.Reload
	}
	return &Authority{
		Signer: signer, Client: client, checker: checker, gracePeriod: cmp.Or(options.GracePeriod, defaultGracePeriod),
	}, nil
}

// Name implements fiscal.Authority.
func (a *Authority) Name() string { return Name }

// Capabilities implements fiscal.Authority. Sending a message again destroys what the first one made, no matter who
// sent it: so a number is asked about first, and two questions must find nothing before it is sent again.
func (a *Authority) Capabilities() fiscal.Capabilities {
	return fiscal.Capabilities{
		Queryable: true, Cancels: true, GracePeriod: a.gracePeriod, NotFounds: 2,
		AsksFirst: rules.Description.TakesTurns, GreatestNumber: rules.Description.GreatestNumber,
		ExactHolder: rules.Description.ExactHolder, RefusalUsesUpNumber: true,
	}
}

// RepairOf implements fiscal.AutoFixer.
func (a *Authority) RepairOf(declaration fiscal.Declaration, code string) fiscal.Repair {
	return rules.RepairOf(code).In(declaration)
}

// CanAutoFix implements fiscal.AutoFixer: no refusal of the city is corrected without a person.
func (a *Authority) CanAutoFix(fiscal.Declaration, fiscal.AutoFix) bool { return false }

// Serves implements fiscal.Authority. The city has one system: it is Check that holds
// notes of a restricted profile.
func (a *Authority) Serves(bool) bool { return a.Client.Serves() }

// Check implements fiscal.Authority, by the tables of the day of the moment.
func (a *Authority) Check(declaration fiscal.Declaration, at time.Time) *fiscal.Objection {
	return a.checker.Check(declaration, classification.Day(at))
}

// Draft implements fiscal.Drafter: it builds an RPS.
func (a *Authority) Draft(declaration fiscal.Declaration, _ time.Time) (fiscal.Draft, error) {
	return a.Signer.Draft(declaration)
}

// Likely are the totals that the city is likely to state of a declaration.
func (a *Authority) Likely(declaration fiscal.Declaration) nfse.Totals {
	iss := taxes.ISSAt(declaration, rules.LikelyRate(declaration))
	return taxes.TotalsOf(declaration, iss, a.StatesIBSCBS(declaration))
}

// StatesIBSCBS reports whether a note has the group IBSCBS: every one that is classified.
func (a *Authority) StatesIBSCBS(declaration fiscal.Declaration) bool {
	return declaration.Classification != nil
}

// MaxNumbers implements fiscal.NumberFinder.
func (a *Authority) MaxNumbers() int { return rps.MaxKeys }

// PollInterval implements fiscal.StandingFinder: notes are cancelled on the city's site, too.
func (a *Authority) PollInterval() (every, duration time.Duration) { return pollEvery, pollFor }

// Test has the city validate what would be sent, without making a note of it.
func (a *Authority) Test(ctx context.Context, access fiscal.Access, declaration fiscal.Declaration,
	at time.Time) (fiscal.Answer, error) {
	message, err := a.SignTest(declaration, access.Credentials, at)
	if err != nil {
		return fiscal.Answer{}, err
	}
	return a.Client.Test(ctx, access, message), nil
}

// Registrations implements fiscal.RegistrationFinder (ConsultaCNPJ).
func (a *Authority) Registrations(ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile) (
	list []fiscal.Registration, reason fact.Fact) {
	return a.Client.Registrations(ctx, access, issuer.TaxID)
}
