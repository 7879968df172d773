package clients

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"emissor/internal/webhook"
	"emissor/test/harness"
	"emissor/test/testkit"
)

// receiver is the program of a page that takes webhooks.
type receiver struct {
	URL string

	mu   sync.Mutex
	said bytes.Buffer
}

// Write implements io.Writer.
func (r *receiver) Write(text []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.said.Write(text)
}

// Said is what the program wrote so far.
func (r *receiver) Said() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.said.String()
}

// freePort is a port of localhost on which nobody listens, and which no outgoing connection takes before the receiver.
func freePort(t *testing.T) string {
	t.Helper()
	address, err := harness.FreeAddress()
	must(t, err)
	_, port, err := net.SplitHostPort(address)
	must(t, err)
	return port
}

// start runs the program with a secret until the test ends, and waits until it listens.
func (r *receiver) start(t *testing.T, command []string, port, secret string) {
	t.Helper()
	if command[0] == "php" {
		command = append([]string{"php", "-S", "localhost:" + port}, command[1:]...)
	}
	ctx, end := context.WithCancel(context.WithoutCancel(t.Context()))
	running := exec.CommandContext(ctx, command[0], command[1:]...)
	running.Dir = t.TempDir()
	running.Env = append(slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return strings.HasPrefix(variable, "PORT=")
	}), "PORT="+port, "EMISSOR_WEBHOOK_SECRET="+secret)
	running.Stdout, running.Stderr = r, r
	must(t, running.Start())
	t.Cleanup(func() {
		end()
		var exit *exec.ExitError
		if err := running.Wait(); err != nil && !errors.As(err, &exit) {
			t.Error(err)
		}
		if t.Failed() {
			t.Logf("the receiver said\n%s", r.Said())
		}
	})
	testkit.Eventually(t, "the receiver listens", func() bool {
		connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", "localhost:"+port)
		if err == nil {
			_ = connection.Close()
		}
		return err == nil
	})
}

// awaitEvent awaits that the receiver got an event of a type from the service.
func (r *receiver) awaitEvent(t *testing.T, event string) {
	t.Helper()
	received := regexp.MustCompile(`received ` + regexp.QuoteMeta(event) + ` evt_[0-9a-z]{26}`)
	testkit.Eventually(t, "the receiver gets "+event, func() bool { return received.MatchString(r.Said()) })
}

// outlivesCut posts what ends in the middle of its body, by an end and by a reset of the connection.
func (r *receiver) outlivesCut(t *testing.T) {
	t.Helper()
	address := strings.Trim(strings.TrimPrefix(r.URL, "http:"), "/")
	for _, reset := range []bool{false, true} {
		for range 3 {
			connection, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
			must(t, err)
			_, err = fmt.Fprintf(connection, "POST / HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"+
				"Content-Length: 1000\r\n\r\n{\"id\":", address)
			must(t, err)
			if reset {
				must(t, connection.(*net.TCPConn).SetLinger(0))
			}
			must(t, connection.Close())
		}
	}
}

// bodyLimit is how many bytes of a body a receiver takes.
const bodyLimit = 256 << 10

// refuses posts what we signed and what others forged: only the first is taken, unless it is too long.
func (r *receiver) refuses(t *testing.T, secret string) {
	t.Helper()
	const body, forged = `{"id":"evt_signed","type":"webhook.test"}`, `{"id":"evt_forged","type":"webhook.test"}`
	now, anHourAgo := time.Now(), time.Now().Add(-time.Hour)
	sign := func(at time.Time, secrets ...string) string { return webhook.Sign(secrets, at, []byte(body)) }
	zeros := ",v1=" + strings.Repeat("0", 64)
	longest := body + strings.Repeat(" ", bodyLimit-len(body))
	tooLong := forged + strings.Repeat(" ", bodyLimit+1-len(forged))
	type posted struct {
		signature, body string
		status          int
	}
	cases := map[string]posted{
		"ours": {sign(now, secret), body, http.StatusOK}, "rotating": {sign(now, "whsec_new", secret), body, http.StatusOK},
		"another secret":             {sign(now, "whsec_other"), body, http.StatusBadRequest},
		"an hour old":                {sign(anHourAgo, secret), body, http.StatusBadRequest},
		"changed":                    {sign(now, secret), forged, http.StatusBadRequest},
		"not signed":                 {"", forged, http.StatusBadRequest},
		"nonsense":                   {"t=x,v1", body, http.StatusBadRequest},
		"of no time":                 {"t=-9223372036854775808" + zeros, body, http.StatusBadRequest},
		"of 5,000 digits":            {"t=" + strings.Repeat("9", 5000) + zeros, body, http.StatusBadRequest},
		"signed with junk behind it": {sign(now, secret) + "zz", body, http.StatusBadRequest},
		"signed with =junk":          {sign(now, secret) + "=zz", body, http.StatusBadRequest},
		"longest":                    {webhook.Sign([]string{secret}, now, []byte(longest)), longest, http.StatusOK},
		"too long": {webhook.Sign([]string{secret}, now, []byte(tooLong)), tooLong,
			http.StatusRequestEntityTooLarge},
	}
	for _, noEvent := range []string{
		"", "no JSON", "null", "[]", "7", `"text"`, "{}", `{"id":[],"type":{}}`, strings.Repeat("[", 100_000),
	} {
		cases["no event: "+noEvent[:min(len(noEvent), 20)]] = posted{
			webhook.Sign([]string{secret}, now, []byte(noEvent)), noEvent, http.StatusBadRequest}
	}
	for name, one := range cases {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.URL, strings.NewReader(one.body))
		must(t, err)
		request.Header.Set("Content-Type", "application/json")
		if one.signature != "" {
			request.Header.Set(webhook.SignatureHeader, one.signature)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Errorf("what is %s is not answered: %v", name, err)
			continue
		}
		_ = response.Body.Close()
		if response.StatusCode != one.status {
			t.Errorf("what is %s is answered %d, expected %d", name, response.StatusCode, one.status)
		}
	}
	testkit.Eventually(t, "what we signed is received",
		func() bool { return strings.Contains(r.Said(), "received webhook.test evt_signed") })
	if strings.Contains(r.Said(), "evt_forged") {
		t.Errorf("a forged event was received:\n%s", r.Said())
	}
}
