package dashboard_test

import (
	"context"
	"errors"
	"html"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/internal/webhook"
	"emissor/nfse"
	"emissor/test/long"
	"emissor/test/testkit"
)

// Every sample runs as it is shown, with the secret from the environment, and as it is
// copied from the page of a new secret: it takes what we sign, and nothing else.
func TestReceivers_Run(t *testing.T) {
	long.Only(t, "runs the samples of receivers")
	t.Parallel()
	s := newSite(t, hooksHere)
	owner := s.signedIn(t, "owner@example.com", s.Organization.ID, nfse.RoleOwner)
	shown := samplesOn(owner.get(t, s.at("/integrations/receiver")).expect(t, http.StatusOK))
	created := owner.post(t, s.at("/integrations/endpoints"), form("url", "https://example.com/", "nfse.issued", "on")).
		expect(t, http.StatusOK)
	secret, copied := onceShown(t, created), samplesOn(created)
	for _, one := range []struct{ file, program string }{
		{"receiver.go", "go"}, {"receiver.py", "python3"}, {"receiver.mjs", "node"}, {"receiver.php", "php"},
	} {
		t.Run(one.file, func(t *testing.T) {
			for _, sample := range []struct {
				files       map[string]string
				environment string
			}{{shown, secret}, {copied, ""}} {
				code := sample.files[one.file]
				if code == "" || strings.Contains(code, secret) != (sample.environment == "") {
					t.Fatalf("the sample is\n%s", code)
				}
				if _, err := exec.LookPath(one.program); err != nil {
					t.Skipf("%s is not installed", one.program)
				}
				address := runReceiver(t, one.program, one.file, sample.files, sample.environment)
				client := webhook.NewClient(webhook.Options{AllowLoopback: true})
				body, anHourAgo := "{}", time.Now().Add(-time.Hour)
				signed := func(at time.Time) string { return webhook.Sign([]string{secret}, at, []byte(body)) }
				send := func(secrets ...string) int {
					body := []byte(`{"id":"evt_1","type":"webhook.test"}`)
					return client.Send(t.Context(), address, secrets, body).Status
				}
				for name, test := range map[string]struct{ found, expected int }{
					"ours": {send(secret), 200}, "again": {send(secret), 200},
					"rotating":       {send("whsec_new", secret), 200},
					"another secret": {send("whsec_x"), 400}, "no secret": {send(), 400},
					"old":       {post(t, address, signed(anHourAgo), body), 400},
					"changed":   {post(t, address, signed(time.Now()), "{ }"), 400},
					"no header": {post(t, address, "", body), 400}, "nonsense": {post(t, address, "t=x,v1", body), 400},
				} {
					if test.found != test.expected {
						t.Errorf("%s is answered %d, expected %d", name, test.found, test.expected)
					}
				}
			}
		})
	}
}

// samplesOn are the samples of a page, as they are copied, by their files.
func samplesOn(page page) map[string]string {
	samples := map[string]string{}
	const name = `(?:receiver|emissor_webhook)\.\w+`
	for _, found := range regexp.MustCompile(`<code>(`+name+`)</code> <button[^>]* data-copy="([^"]+)"`).
		FindAllStringSubmatch(page.body, -1) {
		samples[found[1]] = html.UnescapeString(found[2])
	}
	return samples
}

// runReceiver runs a sample until the test ends, and returns its address. Its files are beside each other.
func runReceiver(t *testing.T, program, file string, files map[string]string, secret string) (address string) {
	t.Helper()
	folder := t.TempDir()
	for name, code := range files {
		must(t, os.WriteFile(filepath.Join(folder, name), []byte(code), 0o600))
	}
	path := filepath.Join(folder, file)
	listener, err := net.Listen("tcp", "localhost:0")
	must(t, err)
	_, port, err := net.SplitHostPort(listener.Addr().String())
	must(t, err)
	must(t, listener.Close())
	arguments := []string{path}
	switch program {
	case "go":
		built := filepath.Join(t.TempDir(), "receiver")
		output, err := exec.CommandContext(t.Context(), "go", "build", "-o", built, path).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		program, arguments = built, nil
	case "php":
		arguments = []string{"-S", "localhost:" + port, path}
	}
	ctx, end := context.WithCancel(context.WithoutCancel(t.Context()))
	running := exec.CommandContext(ctx, program, arguments...)
	running.Env = append(slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "PORT=")
	}), "PORT="+port, "EMISSOR_WEBHOOK_SECRET="+secret)
	running.Stderr = testWriter{t}
	must(t, running.Start())
	t.Cleanup(func() {
		end()
		var exit *exec.ExitError
		if err := running.Wait(); err != nil && !errors.As(err, &exit) {
			t.Error(err)
		}
	})
	testkit.Eventually(t, "the sample listens", func() bool {
		connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", "localhost:"+port)
		if err == nil {
			_ = connection.Close()
		}
		return err == nil
	})
	return "http://localhost:" + port + "/"
}

// testWriter keeps what a program says for the test's log.
type testWriter struct{ t *testing.T }

// Write implements io.Writer.
func (w testWriter) Write(text []byte) (int, error) {
	w.t.Log(strings.TrimSpace(string(text)))
	return len(text), nil
}

func post(t *testing.T, address, signature, body string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(body))
	must(t, err)
	if signature != "" {
		request.Header.Set(webhook.SignatureHeader, signature)
	}
	response, err := http.DefaultClient.Do(request)
	must(t, err)
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	must(t, err)
	return response.StatusCode
}
