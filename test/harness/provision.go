package harness

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// Organization is an organization that can issue.
type Organization struct {
	ID          string
	TestKey     string
	LiveKey     string
	TestService string // ids of its services
	LiveService string
}

// Prepare migrates the database and Temporal's search attributes.
func (e *Emissor) Prepare(ctx context.Context) error {
	_, err := e.Command(ctx, "migrate")
	return err
}

// NewKeyset makes a keyset and adds it to the environment.
func (e *Emissor) NewKeyset(ctx context.Context) error {
	file := filepath.Join(e.LogDir, "keyset.json")
	if _, err := e.Command(ctx, "keyset", "create", file); err != nil {
		return err
	}
	e.Environment = append(e.Environment, "EMISSOR_KEYSET_FILE="+file)
	return nil
}

// NewOrganization makes an organization with a key for each environment. It has
// no services yet: those are made by the API.
func (e *Emissor) NewOrganization(ctx context.Context, name string) (Organization, error) {
	var o Organization
	if err := e.Ask(ctx, &o, "organization", "create", "--name", name); err != nil {
		return o, err
	}
	for environment, key := range map[string]*string{"test": &o.TestKey, "live": &o.LiveKey} {
		var created struct{ Key string }
		if err := e.Ask(ctx, &created, "key", "create", "--organization", o.ID, "--environment", environment,
			"--label", "harness"); err != nil {
			return o, err
		}
		*key = created.Key
	}
	return o, nil
}

// NewServices gives an organization a service for each environment, by the API at
// a base URL.
func (o *Organization) NewServices(ctx context.Context, base string) (err error) {
	if o.TestService, err = newService(ctx, &Client{Base: base, Key: o.TestKey}, "3550308"); err != nil {
		return err
	}
	o.LiveService, err = newService(ctx, &Client{Base: base, Key: o.LiveKey}, liveMunicipality)
	return err
}

func newService(ctx context.Context, api *Client, municipality string) (string, error) {
	var created struct{ ID string }
	err := api.Must(ctx, http.MethodPost, "/v1/services", map[string]any{
		"name": "Suporte", "description": "Suporte técnico em informática", "municipality_code": municipality,
		"default_amount_cents": 15000, "national_tax_code": "01.07.01",
	}, &created)
	return created.ID, err
}

// liveMunicipality is where live notes are issued.
const liveMunicipality = "3304557"

// Equip gives an organization, which has its services, what live notes need: a fiscal
// profile of a CNPJ, a certificate of the simulator's test ICP, and the classification
// of its live service.
func (e *Emissor) Equip(ctx context.Context, simulator *Simulator, o Organization, document string) error {
	if err := e.equip(ctx, simulator.simulated, o, document, nationalProfile("2.90")...); err != nil {
		return err
	}
	return e.classify(ctx, o)
}

// Correct changes the fiscal profile that Equip gave an organization, as a person would who puts
// right what the authority refuses: in the approximate municipal tax, a percentage.
func (e *Emissor) Correct(ctx context.Context, o Organization, document, municipalTax string) error {
	return e.setProfile(ctx, o, document, nationalProfile(municipalTax)...)
}

func nationalProfile(municipalTax string) []string {
	return []string{"--environment", "restricted", "--municipality", liveMunicipality, "--tax-federal", "13.45",
		"--tax-state", "0", "--tax-municipal", municipalTax}
}

// EquipInSaoPaulo gives an organization what live notes of the city of São Paulo need: a
// live service, by the API at a base URL, a fiscal profile of a CNPJ and a municipal
// registration, a certificate and a classification.
func (e *Emissor) EquipInSaoPaulo(ctx context.Context, city *SaoPaulo, base string, o *Organization,
	document, registration string) error {
	var created struct{ ID string }
	if err := (&Client{Base: base, Key: o.LiveKey}).Must(ctx, http.MethodPost, "/v1/services", map[string]any{
		"name": "Suporte", "description": "Suporte técnico em informática", "municipality_code": "3550308",
		"default_amount_cents": 15000, "municipal_tax_code": "2919", "municipal_taxation": "T", "iss_rate": 2.9,
	}, &created); err != nil {
		return err
	}
	o.LiveService = created.ID
	if err := e.equip(ctx, city.simulated, *o, document, "--authority", "sao-paulo", "--environment", "production",
		"--municipality", "3550308", "--municipal-registration", registration); err != nil {
		return err
	}
	return e.classify(ctx, *o, "--indfinal", "false")
}

// equip gives an organization a fiscal profile and a certificate.
func (e *Emissor) equip(ctx context.Context, simulator simulated, o Organization, document string,
	profile ...string) error {
	if err := e.setProfile(ctx, o, document, profile...); err != nil {
		return err
	}
	return e.addCertificate(ctx, simulator, o, document, time.Time{})
}

// AddCertificate gives an organization a certificate of the simulator's test ICP that ends at a time.
func (e *Emissor) AddCertificate(ctx context.Context, simulator *Simulator, o Organization, document string,
	ends time.Time) error {
	return e.addCertificate(ctx, simulator.simulated, o, document, ends)
}

func (e *Emissor) addCertificate(ctx context.Context, simulator simulated, o Organization, document string,
	ends time.Time) error {
	password := rand.Text()
	pfx, err := simulator.certificate(ctx, document, o.ID, password, ends)
	if err != nil {
		return err
	}
	pfxFile, passwordFile := filepath.Join(e.LogDir, o.ID+".pfx"), filepath.Join(e.LogDir, o.ID+".password")
	if err := errors.Join(os.WriteFile(pfxFile, pfx, 0o600),
		os.WriteFile(passwordFile, []byte(password), 0o600)); err != nil {
		return err
	}
	_, err = e.Command(ctx, "certificate", "add", pfxFile, "--organization", o.ID, "--password-file", passwordFile,
		"--roots", simulator.roots)
	return err
}

func (e *Emissor) setProfile(ctx context.Context, o Organization, document string, profile ...string) error {
	_, err := e.Command(ctx, append([]string{"fiscal-profile", "set", "--organization", o.ID,
		"--document", document, "--simples", "none", "--series", "1"}, profile...)...)
	return err
}

// classify classifies the live service of an organization.
func (e *Emissor) classify(ctx context.Context, o Organization, more ...string) error {
	_, err := e.Command(ctx, append([]string{"service", "classify", o.LiveService, "--organization", o.ID,
		"--nbs", "115013000", "--cindop", "100301", "--cclasstrib", "000001"}, more...)...)
	return err
}

// NewEndpoint adds a webhook endpoint in an environment (test or live), and
// returns its id.
func (e *Emissor) NewEndpoint(ctx context.Context, o Organization, environment, url string) (string, error) {
	var added struct{ ID string }
	err := e.Ask(ctx, &added, "webhook", "add", url, "--organization", o.ID, "--environment", environment)
	return added.ID, err
}

// Issuance is the body of a valid note of a service. Its customer lives at a zip
// code that is resolved without any other service.
func Issuance(service, reference string) map[string]any {
	return map[string]any{
		"reference": reference, "service_id": service, "amount_cents": 15000,
		"customer": map[string]any{
			"document": "529.982.247-25", "name": "Maria da Silva",
			"address": map[string]any{
				"zip_code": "01310-100", "street": "Avenida Paulista", "number": "1578", "district": "Bela Vista",
			},
		},
	}
}
