package main

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"emissor/test/testkit"
)

// Two installations that share nothing, behind one name: each key reaches the one that knows it, and one that nobody
// has listed reaches the first, which does not know it.
func TestCaddy_Installations(t *testing.T) {
	t.Parallel()
	caddy, err := exec.LookPath("caddy")
	if err != nil {
		t.Skip("there is no caddy in the path")
	}
	var apis, keys, services []string
	for _, name := range []string{"Clínica Um", "Clínica Dois"} {
		database := testkit.NewDatabase(t)
		_, key, _ := database.NewOrganization(t, name)
		p := start(t, settingsOf(database).withoutTemporal(), "api")
		apis, keys = append(apis, p.api), append(keys, key)
		services = append(services, caller{p.api, key}.newService(t))
	}
	front, home := freeAddress(t), t.TempDir()
	listed := filepath.Join(home, "keys.map")
	must(t, os.WriteFile(listed, fmt.Appendf(nil, "%q two\n", "~^(?i:bearer) +svc_(live|test)_"+
		strings.TrimPrefix(keys[1], "svc_test_")[:12]), 0o600))
	command := exec.Command(caddy, "run", "--config", "../../deploy/caddy/installations.Caddyfile", "--adapter",
		"caddyfile")
	command.Env = []string{
		"EMISSOR_DOMAIN=http://" + front, "EMISSOR_ONE=" + apis[0][len("http://"):],
		"EMISSOR_TWO=" + apis[1][len("http://"):], "EMISSOR_KEYS=" + listed, "CADDY_ADMIN=" + freeAddress(t),
		"HOME=" + home, "XDG_DATA_HOME=" + home, "XDG_CONFIG_HOME=" + home,
	}
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	command.Stderr = t.Output()
	must(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	awaitStatus(t, "http://"+front+"/v1/health", http.StatusOK)

	get := func(key, service string) int {
		request, err := http.NewRequest(http.MethodGet, "http://"+front+"/v1/services/"+service, nil)
		must(t, err)
		request.Header.Set("Authorization", "Bearer "+key)
		response, err := http.DefaultClient.Do(request)
		must(t, err)
		return response.StatusCode
	}
	for n, key := range keys {
		if status := get(key, services[n]); status != http.StatusOK {
			t.Errorf("the key of installation %d is answered %d", n+1, status)
		}
		if status := get(key, services[1-n]); status != http.StatusNotFound {
			t.Errorf("the key of installation %d sees a service of the other: %d", n+1, status)
		}
	}
	if status := get("svc_test_"+strings.Repeat("0", 38), services[0]); status != http.StatusUnauthorized {
		t.Errorf("a key that nobody knows is answered %d", status)
	}
}
