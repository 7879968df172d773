package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
)

// The names of Emissor's settings for the national authority.
const (
	restrictedURLName = "EMISSOR_NATIONAL_RESTRICTED_URL"
	adnURLName        = "EMISSOR_NATIONAL_RESTRICTED_ADN_URL"
	signersName       = "EMISSOR_NATIONAL_DOCUMENT_SIGNERS"
	intervalName      = "EMISSOR_NATIONAL_EVENTS_INTERVAL"
)

// national is the simulator of the national authority.
type national struct{ *simulator }

func (n national) url() string { return "https://" + n.listen + "/SefinNacional" }

// settings are all that separates the simulator from the real hosts.
func (n national) settings() environment {
	return environment{
		restrictedURLName: n.url(), adnURLName: "https://" + n.listen,
		signersName: "CN=SEFIN NACIONAL DE TESTE", intervalName: "2s",
	}
}

// equip gives the organization what live notes need, where it has none.
func (n national) equip(ctx context.Context, d *demo, env environment, organization string) (err error) {
	if err := d.ensureKey(ctx, env, liveKeyName, organization, "live"); err != nil {
		return err
	}
	if err := d.ensureService(ctx, env, liveKeyName, liveServiceName, software("3304557", 2)); err != nil {
		return err
	}
	return d.equip(ctx, issuer{
		organization: organization, name: organizationName, document: "11222333000181", simulator: n.simulator,
		service: env[liveServiceName], classification: []string{"--nbs", "1.1502.20.00", "--cindop", "100301",
			"--cclasstrib", "000001"},
		profile: []string{"--environment", "restricted", "--municipality", "3304557", "--simples", "none",
			"--series", "1", "--tax-federal", "13.45", "--tax-state", "0", "--tax-municipal", "2.90"},
	})
}

// issue issues a live note and shows that the authority has it, once.
func (n national) issue(ctx context.Context, out io.Writer, env environment) error {
	note, err := issue(ctx, out, "live note", &client{base: env[urlName], key: env[liveKeyName]}, env[liveServiceName])
	if err != nil {
		return err
	}
	all, err := n.holds(ctx, note.Authority.AccessKey)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "  number        %s\n  access key    %s\n  ledger        holds it once (%d in all)\n",
		note.Authority.Number, note.Authority.AccessKey, all)
	return nil
}

// holds checks that the ledger has exactly one note with this access key, and counts all it has.
func (n national) holds(ctx context.Context, accessKey string) (all int, err error) {
	var ledger struct {
		Issued []struct {
			AccessKey string `json:"access_key"`
		}
	}
	if err := n.client().must(ctx, http.StatusOK, http.MethodGet, "/ledger", nil, &ledger); err != nil {
		return 0, err
	}
	found := 0
	for _, entry := range ledger.Issued {
		if entry.AccessKey == accessKey {
			found++
		}
	}
	if found != 1 {
		return 0, fmt.Errorf("the simulator's ledger has %d notes with the access key %s, not one", found, accessKey)
	}
	return len(ledger.Issued), nil
}
