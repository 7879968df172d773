package doctor

import (
	"context"
	"crypto/x509"
	"errors"
	"net/url"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"emissor/fiscal"
	"emissor/fiscal/certificate"
	"emissor/fiscal/mtls"
	"emissor/fiscal/national/classification"
	"emissor/internal/mail"
	"emissor/internal/panics"
	"emissor/internal/seal"
	"emissor/internal/webhook"
	"emissor/nfse/fact"
	"emissor/store"
)

// Options are what an examination works with. What is nil this process does not have, and is skipped.
type Options struct {
	Settings []error // what is wrong with them; their texts hold no values

	Store       *store.Store // nil: DatabaseError says why
	DatabaseURL string       // to say whether the way to it is safe; it is not shown

	DatabaseError error // why the database cannot be used; nil where it can

	Engine func(context.Context) (Namespace, error)

	Sealer      *seal.Sealer // nil, or without keys: there is no keyset, or KeysetError says why it does not open
	KeysetError error

	Mail *mail.Sender // nil: no mail server is configured

	// Authorities are those that are called from here, by name; nil: this process calls none. Hosts are
	// their servers.
	Authorities map[string]Authority
	Hosts       []Server

	Webhooks *webhook.Client
	Tables   *classification.Editions
	Roots    *x509.CertPool // of ICP-Brasil; nil: none are configured
	Signer   certificate.SigningProgram

	// FirstContact has the authorities' servers looked at more closely, by questions that create nothing.
	FirstContact bool
	// DocumentSigner reports whether a certificate is of who signs documents of the national system, and whether as a
	// host; nil: nobody is named.
	DocumentSigner func(*x509.Certificate) (named, asHost bool)

	Patience time.Duration // for each check; 0 is 20 s
}

// Namespace is how the engine's namespace stands.
type Namespace struct {
	Retention time.Duration // of runs that have ended; 0: it was not looked at
	Missing   []string      // search attributes that it lacks
	Unseen    bool          // it does not let us see its search attributes
}

// Authority is an authority that is called from here.
type Authority struct {
	fiscal.Authority
	Rate float64 // calls a second
}

// Server is a server of an authority.
type Server struct {
	Authority  string // its name
	Name       string // what people call it, where the authority has several: SEFIN or ADN
	Production bool
	URL        *url.URL
	Transport  mtls.Options
	Always     bool // it was configured by its address: it is looked at also where no organization issues there
	Beside     bool // notes are issued without it
	Late       bool // it is known to ask for a client's certificate by renegotiation
}

const (
	usualPatience = 20 * time.Second
	atOnce        = 8 // checks of the installation, and organizations that are examined
)

// Doctor examines an installation, once.
type Doctor struct {
	Options
	clocks *clocks
	pace   pace
}

// New makes a doctor.
func New(options Options) *Doctor {
	if options.Patience <= 0 {
		options.Patience = usualPatience
	}
	if options.Sealer != nil && len(options.Sealer.Keys()) == 0 {
		options.Sealer = nil // the keyset alone is what is missing: nothing else is found to be closed
	}
	return &Doctor{Options: options, clocks: newClocks(), pace: newPace(options.Authorities)}
}

// Examine checks the installation and an organization; with an empty id all of them.
func (d *Doctor) Examine(ctx context.Context, organizationID string) Report {
	patients, unknown := d.patients(ctx, organizationID)
	installation := d.installation(ctx, patients)
	organizations := d.organizations(ctx, patients)
	return Report{slices.Concat(installation, d.clock(), unknown, organizations)} // clocks after the questions
}

// ExamineInstallation checks the installation alone.
func (d *Doctor) ExamineInstallation(ctx context.Context) Report {
	return Report{slices.Concat(d.installation(ctx, nil), d.clock())}
}

// ExamineOrganization checks one organization alone.
func (d *Doctor) ExamineOrganization(ctx context.Context, organizationID string) Report {
	patients, unknown := d.patients(ctx, organizationID)
	return Report{slices.Concat(unknown, d.organizations(ctx, patients))}
}

func (d *Doctor) installation(ctx context.Context, patients []patient) []Finding {
	return inParallel(
		d.settings,
		func() []Finding { return d.check(ctx, Database, d.database) },
		func() []Finding { return d.check(ctx, Engine, d.engine) },
		func() []Finding { return d.check(ctx, Keyset, d.keyset) },
		func() []Finding { return d.check(ctx, Mail, d.mail) },
		func() []Finding { return d.hosts(ctx, patients) },
	)
}

func (d *Doctor) organizations(ctx context.Context, patients []patient) []Finding {
	var looks []func() []Finding
	for _, one := range patients {
		looks = append(looks, func() []Finding { return d.organization(ctx, one) })
	}
	return inParallel(looks...)
}

// check makes one check, within its time. An error, or a panic, is a finding too.
func (d *Doctor) check(ctx context.Context, name Name, look func(context.Context) ([]Finding, error)) []Finding {
	var found []Finding
	err := panics.Within(ctx, d.Patience, func(ctx context.Context) (err error) {
		found, err = look(ctx)
		return err
	})
	if err != nil {
		found = append(found, problem(name, fact.DoctorBroke.With("why", broke(err)), fact.DoctorDoReport.Fact()))
	}
	return found
}

// broke is why a check came to no end. What a panic holds may be anything, and is not said.
func broke(err error) fact.Fact {
	var panicked *panics.Error
	switch {
	case errors.As(err, &panicked):
		return fact.DoctorPanicked.Fact()
	case errors.Is(err, context.DeadlineExceeded):
		return fact.DoctorTooSlow.Fact()
	}
	return fact.OfError(err)
}

// inParallel looks at several things at once, and returns what was found in their order.
func inParallel(looks ...func() []Finding) (all []Finding) {
	found := make([][]Finding, len(looks))
	var group errgroup.Group
	group.SetLimit(atOnce)
	for i, look := range looks {
		group.Go(func() error {
			found[i] = look()
			return nil
		})
	}
	_ = group.Wait()
	for _, some := range found {
		all = append(all, some...)
	}
	return all
}
