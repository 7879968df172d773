package municipality

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const (
	paulista     = "01310100" // Avenida Paulista
	saoPauloCode = "3550308"
	rioCode      = "3304557"
)

// newServices makes one service of each format, both asking the same server.
func newServices(t *testing.T, server http.Handler) map[string]Service {
	t.Helper()
	listening := httptest.NewServer(server)
	t.Cleanup(func() {
		listening.CloseClientConnections() // some still hang
		listening.Close()
	})
	viaCEP, err := NewViaCEP(listening.URL)
	if err != nil {
		t.Fatal(err)
	}
	brasilAPI, err := NewBrasilAPI(listening.URL + "/")
	if err != nil {
		t.Fatal(err)
	}
	return map[string]Service{viaCEP.Name(): viaCEP, brasilAPI.Name(): brasilAPI}
}

func answerWith(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}
}

// hang waits until the client has gone.
func hang(w http.ResponseWriter, r *http.Request) {
	<-r.Context().Done()
}

// reset tears the connection down without an answer.
func reset(w http.ResponseWriter, _ *http.Request) {
	connection, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err)
	}
	connection.(*net.TCPConn).SetLinger(0)
	connection.Close()
}

func TestZipCodeService_NoUsableAnswer(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Error("a redirect was followed")
	}))
	defer elsewhere.Close()

	for name, server := range map[string]http.HandlerFunc{
		"hangs":             hang,
		"resets":            reset,
		"400":               answerWith(400, `<h2>Bad Request (400)</h2>`),
		"403":               answerWith(403, `{"erro":true}`),
		"404 of a proxy":    answerWith(404, `not found`),
		"404, unknown JSON": answerWith(404, `{"erro":true}`),
		"429":               answerWith(429, `{"erro":true}`),
		"500":               answerWith(500, `{"erro":true}`),
		"502 in HTML":       answerWith(502, `<html></html>`),
		"504 in JSON": answerWith(504,
			`{"name":"CepPromiseError","type":"service_error","errors":[{"message":"CEP NAO ENCONTRADO"}]}`),
		"no content":      answerWith(204, ``),
		"empty":           answerWith(200, ``),
		"HTML":            answerWith(200, `<!DOCTYPE html><title>Just a moment...</title>`),
		"null":            answerWith(200, `null`),
		"a list":          answerWith(200, `[]`),
		"an empty object": answerWith(200, `{}`),
		"erro is false":   answerWith(200, `{"erro":false}`),
		"cut JSON":        answerWith(200, `{"cep":"01310-100","state":"SP","city":"São Paulo","ibge":"35503`),
		"JSON and more":   answerWith(200, `{"erro":true}{"erro":true}`),
		"wrong types":     answerWith(200, `{"cep":1310100,"ibge":3550308}`),
		"another zip code": answerWith(200,
			`{"cep":"20040-020","state":"RJ","city":"Rio de Janeiro","ibge":"3304557"}`),
		"no zip code":      answerWith(200, `{"state":"SP","city":"São Paulo","ibge":"3550308"}`),
		"no municipality":  answerWith(200, `{"cep":"01310-100"}`),
		"unlisted, viacep": answerWith(200, `{"cep":"01310-100","uf":"SP","ibge":"3550309"}`),
		"unlisted, brasil": answerWith(200,
			`{"cep":"01310100","state":"SP","city":"São Paulo","ibge":{"city":"3550309"}}`),
		"sea, as SEFIN says": answerWith(200, `{"cep":"01310-100","uf":"SP","ibge":"0000000"}`),
		"too large": func(w http.ResponseWriter, r *http.Request) {
			// Good for either format, but for the white space after it.
			fmt.Fprint(w, `{"erro":true,"cep":"01310-100","state":"SP","city":"São Paulo"}`,
				strings.Repeat(" ", maxAnswer))
		},
		"endless": func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write([]byte(strings.Repeat(" ", 1024))); err != nil {
					return
				}
			}
		},
		"large header": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Padding", strings.Repeat("x", 32<<10))
			fmt.Fprint(w, `{"erro":true}`)
		},
		"cut body": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "1000")
			fmt.Fprint(w, `{"erro":true}`)
		},
		"hangs in the body": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, `{"erro":true}`)
			w.(http.Flusher).Flush()
			hang(w, r)
		},
		"redirects": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL+r.URL.Path, http.StatusFound)
		},
	} {
		t.Run(name, func(t *testing.T) {
			for format, service := range newServices(t, server) {
				t.Run(format, func(t *testing.T) {
					t.Parallel()
					patience := time.Minute
					if strings.HasPrefix(name, "hangs") {
						patience = 20 * time.Millisecond
					}
					ctx, cancel := context.WithTimeout(t.Context(), patience)
					defer cancel()
					code, err := service.Lookup(ctx, paulista)
					if err == nil || errors.Is(err, ErrUnknown) || code != "" {
						t.Fatalf("got %q, %v", code, err)
					}
					if strings.Contains(err.Error(), paulista) {
						t.Errorf("the error holds the zip code: %v", err)
					}
				})
			}
		})
	}
}

func TestZipCodeService_RefusedConnection(t *testing.T) {
	service, err := NewViaCEP("http://127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	_, err = service.Lookup(t.Context(), paulista)
	if err == nil || strings.Contains(err.Error(), paulista) {
		t.Errorf("got %v", err)
	}
}

func TestZipCodeService_CancelledByCaller(t *testing.T) {
	for format, service := range newServices(t, http.HandlerFunc(hang)) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := service.Lookup(ctx, paulista); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", format, err)
		}
	}
}

func TestZipCodeService_Request(t *testing.T) {
	asked := make(chan *http.Request, 2)
	server := func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "track", Value: "me"})
		asked <- r
		fmt.Fprint(w, `{"cep":"01310-100"}`)
	}
	paths := map[string]string{"viacep": "/ws/01310100/json/", "brasilapi": "/api/cep/v2/01310100"}
	for format, service := range newServices(t, http.HandlerFunc(server)) {
		for range 2 {
			service.Lookup(t.Context(), paulista)
			r := <-asked
			if r.Method != http.MethodGet || r.URL.Path != paths[format] || r.Proto != "HTTP/1.1" ||
				r.UserAgent() != "emissor" || len(r.Cookies()) != 0 {
				t.Errorf("%s asked %s %s %s as %q with cookies %v", format, r.Method, r.URL.Path, r.Proto,
					r.UserAgent(), r.Cookies())
			}
		}
	}
}

func TestZipCodeService_Address(t *testing.T) {
	for address, good := range map[string]bool{
		"https://viacep.com.br": true, "http://127.0.0.1:8080": true, "https://proxy.example/viacep/": true,
		"": false, "viacep.com.br": false, "ftp://viacep.com.br": false, "https://": false, "https://a b": false,
		"https://viacep.com.br?key=1": false, "https://viacep.com.br#x": false, "/ws": false,
	} {
		_, viaCEPErr := NewViaCEP(address)
		_, brasilAPIErr := NewBrasilAPI(address)
		if (viaCEPErr == nil) != good || (brasilAPIErr == nil) != good {
			t.Errorf("%q: %v, %v", address, viaCEPErr, brasilAPIErr)
		}
	}
}
