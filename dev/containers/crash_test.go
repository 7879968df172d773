//go:build containers

package containers

import (
	"strings"
	"testing"
	"time"
)

// crashes kills the first process of each container while notes are posted. Docker starts it again, and what was
// accepted ends. (docker kill would be an operator's stop, after which nothing is started.)
func (i *installation) crashes(t *testing.T) {
	for _, service := range services {
		t.Run(service, func(t *testing.T) {
			c := i.call(t, plain)
			i.expectAccepted(t, c, 10)
			before := i.machine.restarts(t, service)
			i.machine.run(t, "kill -KILL "+i.machine.inspect(t, i.machine.container(t, service), "{{.State.Pid}}"))
			i.eventually(t, time.Minute, func() string {
				if i.machine.restarts(t, service) == before {
					return service + " is not started again"
				}
				return ""
			})
			i.expectAllWork(t)
			i.expectAccepted(t, c, 10)
			i.expectIssued(t, c)
		})
	}
}

// expectAccepted waits for so many more accepted notes.
func (i *installation) expectAccepted(t *testing.T, c *callers, more int) {
	t.Helper()
	accepted := func() int {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.accepted)
	}
	want := accepted() + more
	i.eventually(t, 2*time.Minute, func() string {
		if accepted() < want {
			c.mu.Lock()
			defer c.mu.Unlock()
			return "too few notes are accepted; what failed: " + strings.Join(c.failed, "\n")
		}
		return ""
	})
}

// fullDisk fills the disk of the database while notes are posted.
func (i *installation) fullDisk(t *testing.T) {
	c := i.call(t, plain)
	i.expectAccepted(t, c, 10)
	i.machine.run(t, "cat /dev/zero >/var/lib/docker/volumes/filler || true") // until it is full
	failed := func() int {
		c.mu.Lock()
		defer c.mu.Unlock()
		return len(c.failed)
	}
	i.eventually(t, 3*time.Minute, func() string {
		if failed() < 5 {
			return "notes are accepted on a full disk"
		}
		return ""
	})
	i.machine.run(t, "rm /var/lib/docker/volumes/filler")
	i.expectAllWork(t)
	i.expectAccepted(t, c, 10)
	i.expectIssued(t, c)
}
