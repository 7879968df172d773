package cityserver

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"
	"unicode/utf8"

	"emissor/fiscal"
	"emissor/fiscal/cities"
	"emissor/fiscal/mtls"
	cityrules "emissor/fiscal/national/cityserver/rules"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/national/dps"
	"emissor/fiscal/national/rules"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/taxation"
	"emissor/nfse"
)

// What is done where neither a row nor its family says anything else.
const (
	defaultGracePeriod = 3 * time.Minute
	defaultSendTimeout = 3 * time.Minute // the first call of a day was seen to take half a minute
	defaultAskTimeout  = time.Minute
	defaultRate        = 1 // calls a second: no city has published a limit
	// outlasts is by how much the grace period outlasts the longest sending: what left at its end
	// has arrived by then.
	outlasts = 30 * time.Second
)

// Options say how cities' servers are reached and written to.
type Options struct {
	Software           string // verAplic: name and version of this program
	IBSCBSRequiredFrom nfse.Day
	Tables             *classification.Source // nil: those that are built in
	Transport          mtls.Options           // but for what rows say
	Logger             *slog.Logger
}

// TransportOf are the options of the calls to a city's server.
func (o Options) TransportOf(row cities.Row) mtls.Options {
	transport := o.Transport
	transport.Timeout = max(sendTimeout(row), askTimeout(row))
	if word := row.Quirks[cities.TLS]; word != "" {
		transport.MaxTLS, transport.Renegotiation = cities.TLSOf(word)
	}
	return transport
}

func sendTimeout(row cities.Row) time.Duration {
	return row.Duration(cities.SendTimeout, defaultSendTimeout)
}

// gracePeriod is never shorter than a sending may take: one whose process was killed may still be on its
// way, and a question that finds nothing proves nothing.
func gracePeriod(row cities.Row) time.Duration {
	longest := sendTimeout(row)
	return max(longest, row.Duration(cities.GracePeriod, max(defaultGracePeriod, longest+outlasts)))
}

func askTimeout(row cities.Row) time.Duration {
	return row.Duration(cities.AskTimeout, defaultAskTimeout)
}

// Authority is a city that issues by a server of its own. It implements fiscal.Authority and
// fiscal.NumberFinder.
type Authority struct {
	rules.Checker // of the national system, which the city's rules go beyond

	name    string
	table   []cities.Row // of the city, each for its days
	rows    []served     // the same
	options Options
	now     func() time.Time
}

// served is a row, and how its server is called.
type served struct {
	cities.Row
	Transport
}

func (s served) family() cityrules.Family { return cityrules.Families[s.Row.Family] }

// issuer is an issuer as the city knows it, with the municipal registration, which is always sent.
func (s served) issuer(issuer nfse.FiscalProfile) nfse.FiscalProfile {
	issuer.SendMunicipalRegistration = true
	if as := s.family().Issuer; as != nil {
		issuer = as(s.Row, issuer)
	}
	return issuer
}

var (
	_ fiscal.NumberFinder   = (*Authority)(nil)
	_ fiscal.DocumentFinder = (*Authority)(nil)
	_ fiscal.AutoFixer      = (*Authority)(nil)
	_ fiscal.Drafter        = (*Authority)(nil)
	_ fiscal.TotalsComparer = (*Authority)(nil)
)

// New makes a city reachable, by the rows of a table that have its name.
// Where its server tells what others did to documents, it is a fiscal.StandingFinder.
func New(name string, table *cities.Table, options Options) (Bounded, error) {
	a := &Authority{name: name, options: options, now: time.Now,
		Checker: rules.Checker{IBSCBS: taxation.IBSCBS{RequiredFrom: options.IBSCBSRequiredFrom},
			Tables: classification.NewEditions().On}}
	if options.Tables != nil {
		a.Checker.Tables = func(day string) classification.Tables { return options.Tables.Editions().On(day) }
		a.Checker.Reload = options.Tables.Reload
	}
	a.table = table.OfName(name)
	if len(a.table) == 0 {
		return nil, fmt.Errorf("the table of cities has no city %q", name)
	}
	if from := cityrules.Families[a.table[len(a.table)-1].Family].IBSCBSRequiredFrom; from != "" {
		a.Checker.IBSCBS.RequiredFrom = from
	}
	for _, row := range a.table {
		calls, err := options.connect(row)
		if err != nil {
			return nil, err
		}
		a.rows = append(a.rows, served{row, calls})
	}
	if _, tells := a.today().Transport.(fiscal.StandingFinder); tells {
		return telling{a}, nil
	}
	return a, nil
}

// Bounded is an authority with the bounds of the calls to it, with which a day can be rehearsed too.
type Bounded interface {
	fiscal.Drafter
	fiscal.NumberFinder
	// Likely are the totals that it is likely to state of a declaration.
	Likely(fiscal.Declaration) nfse.Totals
	// StatesIBSCBS reports whether the DPS of a declaration has the group IBSCBS.
	StatesIBSCBS(fiscal.Declaration) bool
	// Rate is how many calls a second all workers together make.
	Rate() float64
	// CallTimeout is the longest that a call may take.
	CallTimeout() time.Duration
}

// today is the row that holds today: a city's server is called by it, regardless of the competence of a note. Where
// none holds, it is the last.
func (a *Authority) today() served {
	day := nfse.DayOf(a.now())
	for _, row := range a.rows {
		if row.Holds(day) {
			return row
		}
	}
	return a.rows[len(a.rows)-1]
}

// Name implements fiscal.Authority.
func (a *Authority) Name() string { return a.name }

// Capabilities implements fiscal.Authority.
func (a *Authority) Capabilities() fiscal.Capabilities {
	row := a.today()
	family := row.family()
	return fiscal.Capabilities{
		Queryable: true, AsksFirst: family.TakesTurns,
		Cancels:        row.Cancels(family.Cancels),
		GracePeriod:    gracePeriod(row.Row),
		NotFounds:      int(row.Number(cities.NotFounds, float64(family.NotFounds))),
		GreatestNumber: rules.Description.GreatestNumber,
	}
}

// Rate is how many calls a second all workers together make.
func (a *Authority) Rate() float64 { return a.today().Number(cities.Rate, defaultRate) }

// CallTimeout is the longest that a call may take, whichever row holds on its day.
func (a *Authority) CallTimeout() (longest time.Duration) {
	for _, row := range a.table {
		longest = max(longest, sendTimeout(row), askTimeout(row))
	}
	return longest
}

// Serves implements fiscal.Authority.
func (a *Authority) Serves(production bool) bool {
	row := a.today()
	return row.On() && row.Base(production) != ""
}

// Check implements fiscal.Authority: by the national rules, and by what the city wants beside.
func (a *Authority) Check(declaration fiscal.Declaration, at time.Time) *fiscal.Objection {
	if hold := cityrules.Holds(a.table, declaration); !hold.None() {
		return &fiscal.Objection{Hold: hold, Untaxed: true, Unclassified: declaration.Classification == nil}
	}
	return a.Checker.Check(a.written(declaration), nfse.DayOf(at))
}

// written is a declaration as it is written for the city.
func (a *Authority) written(declaration fiscal.Declaration) fiscal.Declaration {
	declaration.Issuer = a.today().issuer(declaration.Issuer)
	service := &declaration.Note.Service
	service.Description = oneLine(service.Description)
	return declaration
}

// oneLine puts " - " in the place of line breaks, or a blank where that is too long: some cities drop
// them, and glue the words together.
func oneLine(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if line := strings.Join(lines, " - "); utf8.RuneCountInString(schema.Lines(line)) <= schema.MaxDescription {
		return line
	}
	return strings.Join(lines, " ")
}

// signer writes messages as the city's row of today has them.
func (a *Authority) signer() dps.Signer {
	row := a.today()
	profile := row.Signature
	profile.NamesCertificate = row.Is(cities.KeyInfo, "full")
	return dps.Signer{Profile: profile, Software: a.options.Software,
		IBSCBS: a.Checker.IBSCBS, MunicipalCodes: row.MunicipalCode != nil}
}

// SignDeclaration implements fiscal.Authority.
func (a *Authority) SignDeclaration(declaration fiscal.Declaration, credentials *fiscal.Credentials,
	at time.Time) (fiscal.Message, error) {
	return a.signer().SignDeclaration(a.written(declaration), credentials, at)
}

// Draft implements fiscal.Drafter.
func (a *Authority) Draft(declaration fiscal.Declaration, at time.Time) (fiscal.Draft, error) {
	return a.signer().Draft(a.written(declaration), at)
}

// SignCancellation implements fiscal.Authority.
func (a *Authority) SignCancellation(request fiscal.CancellationRequest, credentials *fiscal.Credentials,
	at time.Time) (fiscal.Message, error) {
	request.Issuer = a.today().issuer(request.Issuer)
	signer := a.signer()
	signer.Profile.Exclusive = signer.Profile.Exclusive || a.today().family().ExclusiveEvents
	return signer.SignCancellation(request, credentials, at)
}

// Send implements fiscal.Authority.
func (a *Authority) Send(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer {
	row := a.today()
	ctx, stop := context.WithTimeout(ctx, sendTimeout(row.Row))
	defer stop()
	return row.Send(ctx, access, request)
}

// Find implements fiscal.Authority.
func (a *Authority) Find(ctx context.Context, access fiscal.Access, request fiscal.Request) fiscal.Answer {
	row := a.today()
	ctx, stop := context.WithTimeout(ctx, askTimeout(row.Row))
	defer stop()
	return row.Find(ctx, access, request)
}

// RepairOf implements fiscal.AutoFixer.
func (a *Authority) RepairOf(declaration fiscal.Declaration, code string) fiscal.Repair {
	return a.today().family().RepairOf(code).In(declaration)
}

// CanAutoFix implements fiscal.AutoFixer. The municipal registration is always sent.
func (a *Authority) CanAutoFix(declaration fiscal.Declaration, autoFix fiscal.AutoFix) bool {
	return autoFix != fiscal.OmitRegistration && a.Checker.CanAutoFix(declaration, autoFix)
}
