package municipality

import (
	"context"
	"net/http"
	"testing"
	"time"

	"emissor/nfse"
)

// noRecords remember nothing.
type noRecords struct{}

func (noRecords) ZipCode(context.Context, string) (string, string, error) { return "", "", nil }
func (noRecords) RememberZipCode(context.Context, string, string) error   { return nil }

const wholeViaCEP = `{"cep":"01310-100","logradouro":"Avenida Paulista","bairro":"Bela Vista","ibge":"3550308"}`

// Each kind of service tells street and district; where one has failed, the next one does.
func TestResolver_Address(t *testing.T) {
	bodies := map[string]string{"viacep": wholeViaCEP,
		"brasilapi": `{"cep":"01310100","state":"SP","city":"São Paulo","neighborhood":"Bela Vista",` +
			`"street":"Avenida Paulista","ibge":{"city":"3550308"}}`}
	for kind, body := range bodies {
		t.Run(kind, func(t *testing.T) {
			broken := newServices(t, answerWith(500, "{}"))["brasilapi"]
			service := newServices(t, answerWith(200, body))[kind]
			resolver := NewResolver(noRecords{}, Options{Services: []Service{broken, service}, Log: silentLog})
			address, outcome, err := resolver.Address(t.Context(), nfse.Scope{OrganizationID: "org_x"}, paulista)
			expected := Address{Municipality: saoPauloCode, Street: "Avenida Paulista", District: "Bela Vista"}
			if err != nil || outcome != Known || address != expected {
				t.Errorf("it is %+v, %s, %v", address, outcome, err)
			}
		})
	}
}

// A service that does not answer costs no more than the time of a look-up, and leaves the city.
func TestResolver_AddressWithoutAnswer(t *testing.T) {
	services := newServices(t, http.HandlerFunc(hang))
	resolver := NewResolver(noRecords{}, Options{Services: []Service{services["viacep"], services["brasilapi"]},
		Timeout: 100 * time.Millisecond, Log: silentLog})
	address, outcome, err := resolver.Address(t.Context(), nfse.Scope{OrganizationID: "org_x"}, paulista)
	if err != nil || outcome != Known || address != (Address{Municipality: saoPauloCode}) {
		t.Errorf("it is %+v, %s, %v", address, outcome, err)
	}
}
