package api_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"emissor/internal/municipality"
	"emissor/nfse"
	"emissor/test/testkit"
)

// zipServer is a real HTTP server in the place of the on-line zip code
// services. It speaks both formats and can be made to misbehave.
type zipServer struct {
	url     string
	handler atomic.Pointer[http.HandlerFunc]
	asked   atomic.Int64
}

func newZipServer(t *testing.T) *zipServer {
	z := &zipServer{}
	z.knows(map[string]string{zipSaoPaulo: saoPaulo, zipRio: rio})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		z.asked.Add(1)
		(*z.handler.Load())(w, r)
	}))
	t.Cleanup(func() {
		server.CloseClientConnections() // some still hang
		server.Close()
	})
	z.url = server.URL
	return z
}

func (z *zipServer) does(handler http.HandlerFunc) { z.handler.Store(&handler) }

// knows makes the server know these zip codes and no other.
func (z *zipServer) knows(codes map[string]string) {
	z.does(func(w http.ResponseWriter, r *http.Request) {
		if zip, ok := strings.CutPrefix(r.URL.Path, "/api/cep/v2/"); ok {
			answerBrasilAPI(w, zip, codes[zip])
			return
		}
		zip := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/ws/"), "/json/")
		if code := codes[zip]; code != "" {
			fmt.Fprintf(w, `{"cep":"%s-%s","logradouro":"Outra Rua","bairro":"Outro Bairro","ibge":"%s"}`, zip[:5],
				zip[5:], code)
			return
		}
		fmt.Fprint(w, `{"erro": "true"}`)
	})
}

func answerBrasilAPI(w http.ResponseWriter, zip, code string) {
	if found, ok := municipality.Find(code); ok {
		fmt.Fprintf(w,
			`{"cep":"%s","state":"%s","city":"%s","neighborhood":"Outro Bairro","street":"Outra Rua",
			"ibge":{"city":"%s"}}`,
			zip, found.State, found.Name, code)
		return
	}
	w.WriteHeader(http.StatusNotFound)
	fmt.Fprint(w, `{"name":"CepPromiseError","message":"Todos os serviços de CEP retornaram erro.",
		"type":"service_error",
		"errors":[{"name":"ServiceError","message":"CEP não encontrado na base do ViaCEP.","service":"viacep"}]}`)
}

// answer makes the server say the same to everything.
func (z *zipServer) answer(status int, body string) {
	z.does(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	})
}

// resets makes the server tear down every connection.
func (z *zipServer) resets() {
	z.does(func(w http.ResponseWriter, _ *http.Request) {
		connection, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			_ = connection.(*net.TCPConn).SetLinger(0)
			_ = connection.Close()
		}
	})
}

// hangs makes the server never answer.
func (z *zipServer) hangs() {
	z.does(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
}

// isForgotten makes a system forget the server's answers, and its failures too:
// after five in a row it would give the server a rest.
func (z *zipServer) isForgotten(t *testing.T, s *testkit.System) {
	t.Helper()
	s.Exec(t, `DELETE FROM zip_codes`)
	z.knows(map[string]string{zipRio: rio})
	if _, err := s.Resolver.Lookup(t.Context(), nfse.Scope{OrganizationID: s.Organization.ID}, zipRio); err != nil {
		t.Fatal(err)
	}
}

func (z *zipServer) viaCEP(t *testing.T) municipality.Service {
	service, err := municipality.NewViaCEP(z.url)
	if err != nil {
		t.Fatal(err)
	}
	return service
}

func (z *zipServer) brasilAPI(t *testing.T) municipality.Service {
	service, err := municipality.NewBrasilAPI(z.url)
	if err != nil {
		t.Fatal(err)
	}
	return service
}

// system is a system that asks this server, in the format of ViaCEP.
func (z *zipServer) system(t *testing.T) *testkit.System { return forgetful(t, z.viaCEP(t)) }

// forgetful is a system that does not remember what the services do not know, for
// tests in which they learn it.
func forgetful(t *testing.T, services ...municipality.Service) *testkit.System {
	return testkit.NewSystem(t, testkit.Options{
		Services: services, ZipCodes: municipality.Options{UnknownFor: time.Nanosecond},
	})
}
