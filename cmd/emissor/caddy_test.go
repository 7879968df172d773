package main

import (
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"syscall"
	"testing"
	"time"

	"emissor/internal/web"
	"emissor/test/harness"
	"emissor/test/testkit"
)

// The example in deploy/caddy, with the real Caddy where there is one. TLS is
// left out: certificates are Caddy's own affair.
func TestCaddy_TellsTheClientsAddress(t *testing.T) {
	t.Parallel()
	caddy, err := exec.LookPath("caddy")
	if err != nil {
		t.Skip("there is no caddy in the path")
	}
	p := start(t, settingsOf(testkit.NewDatabase(t)).withoutTemporal().with("EMISSOR_TRUSTED_PROXIES", "127.0.0.1/32"),
		"api")
	front := freeAddress(t)
	home := t.TempDir()
	command := exec.Command(caddy, "run", "--config", "../../deploy/caddy/Caddyfile", "--adapter", "caddyfile")
	command.Env = []string{
		"EMISSOR_PLAIN=http://" + front, "EMISSOR_UPSTREAM=" + p.api[len("http://"):],
		"EMISSOR_DASHBOARD_PLAIN=http://" + freeAddress(t), "EMISSOR_DOMAIN=http://" + freeAddress(t),
		"EMISSOR_DASHBOARD_DOMAIN=http://" + freeAddress(t), "CADDY_ADMIN=" + freeAddress(t), "HOME=" + home,
		"XDG_DATA_HOME=" + home, "XDG_CONFIG_HOME=" + home,
	}
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	command.Stderr = t.Output()
	must(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	awaitStatus(t, "http://"+front+"/v1/health", http.StatusOK)

	remaining := func(from, claimed string) string {
		client := &http.Client{Transport: &http.Transport{
			DisableKeepAlives: true,
			DialContext:       (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}).DialContext,
		}}
		request, err := http.NewRequest(http.MethodGet, "http://"+front+"/v1/services", nil)
		must(t, err)
		request.Header.Set("X-Forwarded-For", claimed)
		response, err := client.Do(request)
		must(t, err)
		defer response.Body.Close()
		if response.StatusCode != http.StatusUnauthorized {
			t.Errorf("from %s: %d", from, response.StatusCode)
		}
		return response.Header.Get("RateLimit-Remaining")
	}
	if first, second := remaining("127.0.0.2", "203.0.113.1"), remaining("127.0.0.2", "203.0.113.2"); first != "99" ||
		second != "98" {
		t.Errorf("two requests of one client leave %s and %s", first, second)
	}
	if other := remaining("127.0.0.3", "203.0.113.1"); other != "99" {
		t.Errorf("the request of another leaves %s", other)
	}
}

// Caddy waits for a client no longer than Emissor does.
func TestCaddy_GivesUpWithEmissor(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../deploy/caddy/Caddyfile")
	must(t, err)
	server := web.NewServer(nil, slog.New(slog.DiscardHandler))
	for name, expected := range map[string]time.Duration{
		"read_header": server.ReadHeaderTimeout, "read_body": server.ReadTimeout,
	} {
		found := regexp.MustCompile(`(?m)^\s+` + name + `\s+(\S+)$`).FindSubmatch(text)
		if found == nil || string(found[1]) != expected.String() {
			t.Errorf("%s of Caddy is %q, of Emissor it is %s", name, found, expected)
		}
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	address, err := harness.FreeAddress()
	must(t, err)
	return address
}
