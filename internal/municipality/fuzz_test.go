package municipality

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// answering is a transport that answers everything alike.
type answering struct {
	status int
	body   string
}

func (a answering) RoundTrip(request *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: a.status, Header: http.Header{}, Request: request,
		Body: io.NopCloser(strings.NewReader(a.body))}, nil
}

// Any answer of an on-line service is read as a municipality that exists, as unknown, or as an error that does not
// hold the zip code.
func FuzzServiceAnswer(f *testing.F) {
	for _, body := range []string{
		`{"cep":"01310-100","ibge":"3550308"}`, `{"erro":"true"}`, `{"erro":true}`, `{"cep":1310100,"ibge":3550308}`,
		`{"cep":"01310100","city":"São Paulo","state":"SP"}`, `{"errors":[{"message":"CEP NAO ENCONTRADO"}]}`,
		`{"cep":"01310100","state":"SP","city":"São Paulo","location":{"coordinates":{}}}`, `null`, `[]`, ``, `<html>`,
	} {
		for _, status := range []int{200, 302, 404, 500} {
			f.Add(status, body)
		}
	}
	viaCEP, err := NewViaCEP("https://zip.test")
	if err != nil {
		f.Fatal(err)
	}
	brasilAPI, err := NewBrasilAPI("https://zip.test")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		viaCEP.client.http.Transport = answering{status, body}
		brasilAPI.client.http.Transport = answering{status, body}
		for _, service := range []Service{viaCEP, brasilAPI} {
			code, err := service.Lookup(t.Context(), paulista)
			if (err == nil) != Exists(code) || err != nil && strings.Contains(err.Error(), paulista) {
				t.Errorf("%s: %q, %v", service.Name(), code, err)
			}
		}
	})
}
