//go:build containers

package containers

import (
	"fmt"
	"testing"
	"time"
)

// restore backs up while notes wait, issues them, and goes back to the backup: there they wait again, and are issued.
func (i *installation) restore(t *testing.T) {
	const page, heading = "backup.md", "With compose"
	m := i.machine
	m.run(t, "docker compose stop worker")
	waiting := i.call(t, plain)
	i.expectAccepted(t, waiting, 20)
	waiting.end()
	i.handbook.follow(t, m, page, heading)
	m.run(t, "docker compose start worker")
	i.expectIssued(t, waiting)

	i.handbook.follow(t, m, page, heading)
	i.expectAllWork(t)
	i.eventually(t, 8*time.Minute, func() string {
		if open := m.sql(t, `SELECT count(*) FROM notes WHERE status <> 'issued'`); open != "0" {
			return fmt.Sprintf("%s notes are not issued", open)
		}
		return ""
	})
	i.expectIssued(t, waiting)
	after := i.call(t, plain)
	i.expectAccepted(t, after, 10)
	i.expectIssued(t, after)
	m.run(t, "diff -r deploy/keyset keyset.copy")
}
