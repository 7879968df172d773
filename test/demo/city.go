package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
)

// The names of Emissor's settings for the city of São Paulo, and of what a shell needs to issue there.
const (
	cityURLName     = "EMISSOR_SAO_PAULO_URL"
	graceName       = "EMISSOR_AUTHORITY_GRACE_PERIOD"
	cityLiveKeyName = "EMISSOR_SAO_PAULO_LIVE_KEY"
	cityServiceName = "EMISSOR_SAO_PAULO_SERVICE_ID"
	cityControlName = "EMISSOR_SAO_PAULO_CONTROL_URL"
)

const (
	// The name by which the next run finds the organization that issues in São Paulo again.
	cityOrganizationName = "Demonstração São Paulo"
	cityDocument         = "11222333000262"
	cityRegistration     = "31000000"
)

// city is the simulator of the city of São Paulo.
type city struct{ *simulator }

func (c city) url() string { return "https://" + c.listen + "/lotenfe.asmx" }

// settings are all that separates the simulator from the real host. The grace period is short, so that nobody has to
// wait for it: this city shows what it made at once.
func (c city) settings() environment {
	return environment{cityURLName: c.url(), graceName: "3s"}
}

// equip makes an organization that can issue in São Paulo, and returns its id.
func (c city) equip(ctx context.Context, d *demo, env environment) (organization string, err error) {
	if organization, err = d.emissor.organization(ctx, cityOrganizationName); err != nil {
		return "", err
	}
	if err := d.ensureKey(ctx, env, cityLiveKeyName, organization, "live"); err != nil {
		return "", err
	}
	if err := d.ensureService(ctx, env, cityLiveKeyName, cityServiceName, map[string]any{
		"name":                 "Suporte técnico",
		"description":          "Suporte técnico em informática",
		"municipality_code":    "3550308",
		"default_amount_cents": 15000,
		"municipal_tax_code":   "2919",
		"municipal_taxation":   "T",
		"iss_rate":             2.9,
	}); err != nil {
		return "", err
	}
	if err := c.client().must(ctx, http.StatusOK, http.MethodPut, "/registry", map[string]any{
		"taxpayers": map[string]any{cityRegistration: map[string]any{
			"document": cityDocument, "name": cityOrganizationName,
		}},
	}, nil); err != nil {
		return "", err
	}
	return organization, d.equip(ctx, issuer{
		organization: organization, name: cityOrganizationName, document: cityDocument, simulator: c.simulator,
		service: env[cityServiceName], classification: []string{"--nbs", "1.1502.20.00", "--cindop", "100301",
			"--cclasstrib", "000001", "--indfinal", "false"},
		profile: []string{"--authority", "sao-paulo", "--municipal-registration", cityRegistration,
			"--environment", "production", "--municipality", "3550308", "--simples", "none", "--series", "1"},
	})
}

// issue has the city say that everything is there, issues a live note and shows that the city has it, once.
func (c city) issue(ctx context.Context, out io.Writer, d *demo, env environment, organization string) error {
	checked, err := d.emissor.command(ctx, "fiscal-profile", "check", "--organization", organization)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\nBefore the first note in São Paulo: emissor fiscal-profile check --organization %s\n",
		organization)
	for line := range bytes.Lines(bytes.TrimSpace(checked)) {
		fmt.Fprintf(out, "  %s\n", bytes.TrimRight(line, "\n"))
	}
	note, err := issue(ctx, out, "live note in São Paulo", &client{base: env[urlName], key: env[cityLiveKeyName]},
		env[cityServiceName])
	if err != nil {
		return err
	}
	all, err := c.holds(ctx, note)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "  number        %s\n  verification  %s\n"+
		"  ledger        holds it once, not cancelled (%d in all)\n",
		note.Authority.Number, note.Authority.VerificationCode, all)
	return nil
}

// holds checks that the ledger has the note, once and not cancelled, and counts all it has.
func (c city) holds(ctx context.Context, n note) (all int, err error) {
	var ledger struct {
		Issued []struct {
			Number           int64
			VerificationCode string `json:"verification_code"`
			Cancelled        bool
		}
	}
	if err := c.client().must(ctx, http.StatusOK, http.MethodGet, "/ledger", nil, &ledger); err != nil {
		return 0, err
	}
	found := 0
	for _, entry := range ledger.Issued {
		if fmt.Sprint(entry.Number) == n.Authority.Number && entry.VerificationCode == n.Authority.VerificationCode &&
			!entry.Cancelled {
			found++
		}
	}
	if found != 1 {
		return 0, fmt.Errorf("the simulator's ledger has %d notes with the number %s that stand, not one", found,
			n.Authority.Number)
	}
	return len(ledger.Issued), nil
}
