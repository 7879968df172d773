// Package national is the national NFS-e system (SEFIN Nacional) as a
// fiscal.Authority. It joins the packages below it:
//
//   - dps builds and signs what is sent;
//   - sefin sends it, asks about it and interprets the answers;
//   - adn reads what it distributes: what others did to documents;
//   - rules explains the authority's rules and checks what can be checked before;
//   - taxation and schema hold the tables and the single values that both need;
//   - classification holds the tables of IBS and CBS, edition by edition.
package national

import (
	"cmp"
	"context"
	"crypto/tls"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national/adn"
	"emissor/fiscal/national/classification"
	"emissor/fiscal/national/dps"
	"emissor/fiscal/national/rules"
	"emissor/fiscal/national/sefin"
	"emissor/fiscal/national/taxation"
	"emissor/fiscal/xmldsig"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// Name is the national system's in fiscal profiles, task queues and metrics.
const Name = rules.Name

// defaultGracePeriod is how long SEFIN may take to show what it made.
const defaultGracePeriod = time.Minute

// Options say how the national system is reached and written to.
type Options struct {
	Connection

	Signature xmldsig.Profile // of what is sent; the zero Profile is inclusive C14N with RSA-SHA256
	Software  string          // verAplic: name and version of this program, at most 20 characters

	// IBSCBSRequiredFrom is the day of competence, as 2027-01-01, from which every
	// document has the group IBSCBS: a note without a classification waits. Empty is
	// never.
	IBSCBSRequiredFrom nfse.Day
	// Tables are those by which services are classified; nil: those that are built in.
	Tables *classification.Source

	GracePeriod time.Duration // see fiscal.Capabilities; default a minute
}

// Connection says how SEFIN Nacional and the ADN are reached, and whose signatures count. For what its Transport
// leaves open see TransportOf.
type Connection = sefin.Options

// Signers are those whose signatures count for a kind of document.
type Signers = sefin.Signers

// ParseSigners reads a list, separated by semicolons, of CNPJs and of subjects:
// CN=NAME alone, or the whole as RFC 2253 writes it.
func ParseSigners(words string) (Signers, error) { return sefin.ParseSigners(words) }

// Authority is the national system: what it signs, a DPS or a pedRegEvento, is its Signer's, its calls are the
// Client's, and the totals it expects the Checker's. It implements fiscal.Authority and fiscal.Distributor.
type Authority struct {
	dps.Signer
	*sefin.Client
	rules.Checker
	gracePeriod time.Duration
}

var (
	_ fiscal.Distributor    = (*Authority)(nil)
	_ fiscal.DocumentFinder = (*Authority)(nil)
	_ fiscal.AutoFixer      = (*Authority)(nil)
	_ fiscal.Drafter        = (*Authority)(nil)
	_ fiscal.TotalsComparer = (*Authority)(nil)

	_ fiscal.ExistenceFinder = (*Authority)(nil)
)

// New makes the national system reachable. It refuses addresses that are no
// https URLs; the error begins with the name of the option.
func New(options Options) (*Authority, error) {
	options.Transport = TransportOf(options.Transport)
	client, err := sefin.New(options.Connection)
	if err != nil {
		return nil, err
	}
	ibscbs := taxation.IBSCBS{RequiredFrom: options.IBSCBSRequiredFrom}
	checker := rules.Checker{IBSCBS: ibscbs, Tables: classification.NewEditions().On}
	if options.Tables != nil {
		checker.Tables = func(day string) classification.Tables { return options.Tables.Editions().On(day) }
		checker.Reload = options.Tables.Reload
	}
	return &Authority{
		Signer:      dps.Signer{Profile: options.Signature, Software: options.Software, IBSCBS: ibscbs},
		Client:      client,
		Checker:     checker,
		gracePeriod: cmp.Or(options.GracePeriod, defaultGracePeriod),
	}, nil
}

// TransportOf are the options of the connections to the hosts of the national system, where they name no
// version of TLS: 1.2, and a server may renegotiate once in a connection. SEFIN asks for the client's
// certificate only so, after it has read the head of a request, and in 1.3 nobody can ask so.
func TransportOf(options mtls.Options) mtls.Options {
	if options.MaxTLS == 0 {
		options.MaxTLS, options.Renegotiation = tls.VersionTLS12, tls.RenegotiateOnceAsClient
	}
	return options
}

// Name implements fiscal.Authority.
func (a *Authority) Name() string { return Name }

// Capabilities implements fiscal.Authority. A number issues at most one
// document: sending a message again cannot destroy what the first one made.
func (a *Authority) Capabilities() fiscal.Capabilities {
	return fiscal.Capabilities{Queryable: true, Cancels: true, GracePeriod: a.gracePeriod, NotFounds: 1,
		GreatestNumber: rules.Description.GreatestNumber}
}

// RepairOf implements fiscal.AutoFixer.
func (a *Authority) RepairOf(declaration fiscal.Declaration, code string) fiscal.Repair {
	return rules.RepairIn(declaration, code)
}

// Check implements fiscal.Authority, by what is in force on the note's day of
// competence.
func (a *Authority) Check(declaration fiscal.Declaration, at time.Time) *fiscal.Objection {
	return a.Checker.Check(declaration, nfse.DayOf(at))
}

// FindDocument implements fiscal.DocumentFinder.
func (a *Authority) FindDocument(
	ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile, number int64,
) fiscal.FoundDocument {
	id, err := dps.ID(issuer, number)
	if err != nil {
		return fiscal.FoundDocument{Answer: fiscal.Unknown(fact.OfError(err))}
	}
	return a.Client.FindDocument(ctx, access, id)
}

// Exists implements fiscal.ExistenceFinder.
func (a *Authority) Exists(
	ctx context.Context, access fiscal.Access, issuer nfse.FiscalProfile, number int64,
) fiscal.Answer {
	id, err := dps.ID(issuer, number)
	if err != nil {
		return fiscal.Unknown(fact.OfError(err))
	}
	return a.Client.Exists(ctx, access, id)
}

// Distributes implements fiscal.Distributor.
func (a *Authority) Distributes(production bool) bool { return a.ServesADN(production) }

// Distribute implements fiscal.Distributor.
func (a *Authority) Distribute(
	ctx context.Context, access fiscal.Access, issuer nfse.TaxID, after int64,
) fiscal.Batch {
	return adn.Ask(ctx, a.Client, access, issuer, after)
}
