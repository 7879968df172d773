package municipality

import (
	"errors"
	"testing"
)

func TestViaCEP(t *testing.T) {
	found := `{"cep":"01310-100","logradouro":"Avenida Paulista","complemento":"de 612 a 1510 - lado par","unidade":"",
		"bairro":"Bela Vista","localidade":"São Paulo","uf":"SP","estado":"São Paulo","regiao":"Sudeste",
		"ibge":"3550308",
		"gia":"1004","ddd":"11","siafi":"7107"}`
	for name, test := range map[string]struct {
		body string
		want string
		err  error
	}{
		"found":               {found, saoPauloCode, nil},
		"no hyphen":           {`{"cep":"01310100","ibge":"3550308"}`, saoPauloCode, nil},
		"unknown, as a word":  {`{"erro": "true"}`, "", ErrUnknown},
		"unknown, as boolean": {"{\n  \"erro\": true\n}", "", ErrUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			service := newServices(t, answerWith(200, test.body))["viacep"]
			got, err := service.Lookup(t.Context(), paulista)
			if got != test.want || !errors.Is(err, test.err) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}
