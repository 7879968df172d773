package municipality

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestBrasilAPI(t *testing.T) {
	for name, test := range map[string]struct {
		body string
		want string
		err  error
	}{
		"name only, as until August 2026": {
			`{"cep":"01310100","state":"SP","city":"São Paulo","neighborhood":"Bela Vista","street":"Avenida Paulista",
			"service":"open-cep",
			"location":{"type":"Point","coordinates":{"longitude":"-46.65","latitude":"-23.56"}}}`, saoPauloCode, nil},
		"with the code": {
			`{"cep":"01310100","state":"SP","city":"São Paulo","service":"open-cep","ibge":{"city":"3550308",` +
				`"state":"35"}}`, saoPauloCode, nil},
		"upstream without the code": {
			`{"cep":"01310100","state":"SP","city":"SAO PAULO","service":"correios","ibge":{"city":null,"state":"35"}}`,
			saoPauloCode, nil},
		"whole town, no street": {
			`{"cep":"01310-100","state":"SP","city":"Goioerê","neighborhood":null,"street":null,` +
				`"ibge":{"city":"3550308"}}`, saoPauloCode, nil},
		"name of another state": {
			`{"cep":"01310100","state":"RJ","city":"São Paulo"}`, "", errInconclusive},
		"district instead of a city": {
			`{"cep":"01310100","state":"SP","city":"Vila Mariana"}`, "", errInconclusive},
	} {
		t.Run(name, func(t *testing.T) {
			service := newServices(t, answerWith(200, test.body))["brasilapi"]
			got, err := service.Lookup(t.Context(), paulista)
			if got != test.want || !errors.Is(err, test.err) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}

func TestBrasilAPI_CodeOfAnotherState(t *testing.T) {
	service := newServices(t,
		answerWith(200, `{"cep":"01310100","state":"RJ","city":"São Paulo","ibge":{"city":"3550308"}}`))["brasilapi"]
	if code, err := service.Lookup(t.Context(), paulista); err == nil || errors.Is(err, ErrUnknown) {
		t.Errorf("got %q, %v", code, err)
	}
}

func TestBrasilAPI_UnknownWhenEveryUpstreamSaysSo(t *testing.T) {
	for name, test := range map[string]struct {
		upstream []string
		want     error
	}{
		"all say not found": {
			[]string{"CEP NAO ENCONTRADO", "CEP não encontrado na base do ViaCEP.",
				"CEP não encontrado na base do WideNet.",
				"CEP não encontrado na base dos Correios."}, ErrUnknown},
		"invalid and not found": {
			[]string{"CEP INVÁLIDO", "CEP não encontrado na base do ViaCEP."}, ErrUnknown},
		"all failed": {
			[]string{"Erro ao se conectar com o serviço dos Correios.", "Erro ao se conectar com o serviço ViaCEP.",
				"Erro ao se conectar com o serviço WideNet."}, errInconclusive},
		"all timed out": {
			[]string{"Não foi possível interpretar o XML de resposta.",
				"network timeout at: https://viacep.example"}, errInconclusive},
		"one failed": {
			[]string{"A autenticacao de null falhou!", "CEP não encontrado na base do ViaCEP.",
				"CEP não encontrado na base do WideNet.",
				"CEP não encontrado na base dos Correios."}, errInconclusive},
		"one failed last": {
			[]string{"CEP não encontrado na base do ViaCEP.",
				"Cannot read properties of undefined (reading 'replace')"}, errInconclusive},
	} {
		t.Run(name, func(t *testing.T) {
			var errs []string
			for _, message := range test.upstream {
				errs = append(errs, fmt.Sprintf(`{"name":"ServiceError","message":%q,"service":"x"}`, message))
			}
			body := `{"name":"CepPromiseError","message":"Todos os serviços de CEP retornaram erro.",` +
				`"type":"service_error","errors":[` +
				strings.Join(errs, ",") + `]}`
			service := newServices(t, answerWith(404, body))["brasilapi"]
			if _, err := service.Lookup(t.Context(), paulista); !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}

func TestBrasilAPI_WithoutReasons(t *testing.T) {
	for name, body := range map[string]string{
		"no reasons":      `{"name":"CepPromiseError","type":"service_error","errors":[]}`,
		"reasons missing": `{"name":"CepPromiseError","type":"service_error"}`,
		"validation error": `{"name":"CepPromiseError","type":"validation_error",` +
			`"errors":[{"message":"CEP INVÁLIDO"}]}`,
		"another error": `{"name":"NotFoundError","type":"service_error",` +
			`"errors":[{"message":"CEP NAO ENCONTRADO"}]}`,
		"HTML": `<html>404</html>`,
	} {
		t.Run(name, func(t *testing.T) {
			service := newServices(t, answerWith(404, body))["brasilapi"]
			if _, err := service.Lookup(t.Context(), paulista); err == nil || errors.Is(err, ErrUnknown) {
				t.Errorf("got %v", err)
			}
		})
	}
}
