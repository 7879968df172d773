package cnpj_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"emissor/internal/cnpj"
)

const brasilAPI = `{"cnpj":"11444777000161","razao_social":"PADARIA ALFA LTDA","nome_fantasia":"ALFA",
	"descricao_tipo_de_logradouro":"AVENIDA","logradouro":"PAULISTA","numero":"1578","complemento":"",
	"bairro":"BELA VISTA","cep":1310100,"uf":"SP","municipio":"SAO PAULO","codigo_municipio_ibge":3550308,
	"email":null,"opcao_pelo_simples":true,"opcao_pelo_mei":false,"descricao_situacao_cadastral":"ATIVA","qsa":[{}]}`

const receitaWS = `{"status":"OK","nome":"PADARIA ALFA LTDA","fantasia":"ALFA","logradouro":"AV PAULISTA",
	"numero":"1578","complemento":"","bairro":"BELA VISTA","cep":"01.310-100","uf":"SP","municipio":"SAO PAULO",
	"email":"alfa@example.com","situacao":"ATIVA","simples":{"optante":true},"simei":{"optante":false}}`

func lookup(t *testing.T, kind string, status int, body string) (cnpj.Company, error) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/11444777000161") {
			t.Errorf("asked is %s", r.URL.Path)
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(server.Close)
	service, err := cnpj.New(kind, server.URL+"/")
	if err != nil {
		t.Fatal(err)
	}
	return service.Lookup(t.Context(), "11444777000161")
}

// Both kinds of services are read alike.
func TestLookup(t *testing.T) {
	for kind, body := range map[string]string{"brasilapi": brasilAPI, "receitaws": receitaWS} {
		company, err := lookup(t, kind, 200, body)
		if err != nil || company.Name != "PADARIA ALFA LTDA" || company.ZipCode != "01310100" ||
			company.Municipality != "3550308" || company.Number != "1578" || company.District != "BELA VISTA" ||
			!company.Active || !*company.Simples || *company.MEI || !strings.HasSuffix(company.Street, "PAULISTA") {
			t.Errorf("%s: %+v, %v", kind, company, err)
		}
	}
}

// What is no answer is told apart from a company that is not known, and tells nothing.
func TestLookup_Failures(t *testing.T) {
	for name, test := range map[string]struct {
		kind   string
		status int
		body   string
		err    error
	}{
		"not found":     {"brasilapi", 404, `{"message":"CNPJ não encontrado"}`, cnpj.ErrUnknown},
		"an error":      {"receitaws", 200, `{"status":"ERROR","message":"CNPJ inválido"}`, cnpj.ErrUnknown},
		"too many":      {"brasilapi", 429, `{}`, cnpj.ErrUnavailable},
		"HTML":          {"brasilapi", 200, `<html>`, cnpj.ErrUnavailable},
		"nothing":       {"receitaws", 200, ``, cnpj.ErrUnavailable},
		"no name":       {"brasilapi", 200, `{}`, cnpj.ErrUnavailable},
		"a redirect":    {"brasilapi", 302, ``, cnpj.ErrUnavailable},
		"far too large": {"brasilapi", 200, `{"razao_social":"` + strings.Repeat("A", 1<<20) + `"}`, cnpj.ErrUnavailable},
	} {
		if company, err := lookup(t, test.kind, test.status, test.body); !errors.Is(err, test.err) ||
			company != (cnpj.Company{}) {
			t.Errorf("%s: %+v, %v", name, company, err)
		}
	}
}

func TestNew_Refuses(t *testing.T) {
	for kind, address := range map[string]string{
		"brasilapi": "ftp://x", "other": "https://x", "receitaws": "https://x?a=1",
	} {
		if _, err := cnpj.New(kind, address); err == nil {
			t.Errorf("%s=%s is taken", kind, address)
		}
	}
}
