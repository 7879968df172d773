//go:build containers

package containers

import (
	"strings"
	"testing"
	"time"
)

// rotateKeyset takes the steps of a rotation while notes are posted, as often as the page says: until no step is left.
func (i *installation) rotateKeyset(t *testing.T) {
	m := i.machine
	m.run(t, "docker compose run --rm operator webhook add https://receiver.invalid/nfse --environment live --organization "+
		i.handbook.seen["org_"]) // whose secret is sealed; nothing is sent there
	before := m.run(t, "cat deploy/keyset/keyset.json")
	c := i.call(t, plain)
	steps := 0
	step := func() { steps++; t.Log("step", steps) }
	i.handbook.follow(t, m, "keysets.md", "Rotate it")
	step()
	rotate := `docker compose run --rm -v "$PWD/deploy/keyset:/keyset" -e EMISSOR_KEYSET_FILE=/keyset/keyset.json operator keyset rotate`
	keys := func() int { return strings.Count(m.run(t, "cat deploy/keyset/keyset.json"), `"keyId"`) }
	i.eventually(t, 10*time.Minute, func() string {
		if printed, err := m.try(t, rotate); err != nil {
			return printed // too early: it says why
		}
		step()
		if keys() > 1 {
			return "the older key is still there"
		}
		return ""
	})
	c.expectNoFailure(t)
	i.expectIssued(t, c)
	if after := m.run(t, "cat deploy/keyset/keyset.json"); after == before || keys() != 1 {
		t.Errorf("the keyset has %d keys after %d steps, as before: %t", keys(), steps, after == before)
	}
	t.Log(m.run(t, "docker compose run --rm operator keyset status"))
}

// changePasswords gives each account of the database another password while notes are posted.
func (i *installation) changePasswords(t *testing.T) {
	const page, heading = "database-accounts.md", "Another password, without a stop"
	m := i.machine
	old := func(name string) string { return m.run(t, "sed -n 's/^"+name+"_PASSWORD=//p' .env") }
	database := m.container(t, "postgres")
	c := i.call(t, plain)

	i.handbook.follow(t, m, page, heading) // of the API; the others go the same way
	i.handbook.again(t, m, page, heading, "emissor_api", "emissor_worker", "EMISSOR_API", "EMISSOR_WORKER",
		"api-1", "worker", "api-2", "worker")
	i.handbook.again(t, m, page, heading, "emissor_api", "emissor_dashboard", "EMISSOR_API", "EMISSOR_DASHBOARD",
		"api-1", "dashboard-1", "api-2", "dashboard-2")
	i.handbook.follow(t, m, page, heading) // of migrations and commands
	i.handbook.follow(t, m, page, heading) // of Temporal
	c.expectNoFailure(t)
	i.expectIssued(t, c)

	m.run(t, "docker compose run --rm migrate")
	m.run(t, "docker compose run --rm operator organization list")
	for account, password := range map[string]string{
		"emissor_api_user": old("EMISSOR_API_DATABASE"), "emissor_worker_user": old("EMISSOR_WORKER_DATABASE"),
		"emissor_dashboard_user": old("EMISSOR_DASHBOARD_DATABASE"), "emissor": old("EMISSOR_DATABASE"),
		"emissor_operator_user": old("EMISSOR_OPERATOR_DATABASE"), "temporal": old("TEMPORAL_DATABASE"),
	} {
		printed, err := m.try(t, "docker compose exec -T postgres psql postgres://"+account+":"+password+
			"@127.0.0.1/postgres -c 'SELECT 1'")
		if err == nil || !strings.Contains(printed, "password authentication failed") {
			t.Errorf("%s with the old password: %v %s", account, err, printed)
		}
	}
	if now := m.container(t, "postgres"); now != database {
		t.Error("PostgreSQL's container was replaced")
	}
}
