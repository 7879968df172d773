//go:build containers

package containers

import "testing"

// replaced are the services that an upgrade of Emissor replaces.
var replaced = []string{"api-1", "api-2", "dashboard-1", "dashboard-2", "worker"}

// upgrade replaces the version that runs by another while notes are posted, by names with TLS and without.
func (i *installation) upgrade(t *testing.T) {
	database, caddy := i.machine.container(t, "postgres"), i.machine.container(t, "caddy")
	i.upgradeBy(t, "second", func() { i.handbook.follow(t, i.machine, "upgrade.md", "Upgrading") })
	if i.machine.container(t, "postgres") != database || i.machine.container(t, "caddy") != caddy {
		t.Error("PostgreSQL or Caddy was replaced, which nothing has changed")
	}
}

// upgradeAtOnce is how one who has not read the page does it.
func (i *installation) upgradeAtOnce(t *testing.T) {
	i.upgradeBy(t, "third", func() { i.machine.run(t, "docker compose up -d --build") })
}

func (i *installation) upgradeBy(t *testing.T, version string, upgrade func()) {
	t.Helper()
	m := i.machine
	// Another program: the database sees its version.
	m.run(t, "echo "+version+" > cmd/emissor/VERSION")
	before := map[string]string{}
	for _, service := range replaced {
		before[service] = m.inspect(t, m.container(t, service), "{{.Image}}")
	}
	inClear, encrypted := i.call(t, plain), i.call(t, withTLS)
	i.expectAccepted(t, inClear, 10)
	upgrade()
	i.expectAllWork(t)
	i.expectAccepted(t, inClear, 10)
	inClear.expectNoFailure(t)
	encrypted.expectNoFailure(t)
	i.expectIssued(t, inClear)
	i.expectIssued(t, encrypted)
	for _, service := range replaced {
		if m.inspect(t, m.container(t, service), "{{.Image}}") == before[service] {
			t.Errorf("%s runs the version before", service)
		}
	}
	connected := `SELECT DISTINCT application_name FROM pg_stat_activity WHERE application_name LIKE 'emissor/%'`
	if programs := m.sql(t, connected); programs != "emissor/"+version {
		t.Errorf("connected to the database are %q", programs)
	}
}
