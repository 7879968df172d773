package main

import (
	"net"
	"strings"
	"sync/atomic"

	"emissor/test/harness"
	"emissor/test/pgwire"
)

// statementCounter is a proxy between a process and PostgreSQL that counts the
// statements, as the protocol carries them.
type statementCounter struct {
	listener   net.Listener
	statements atomic.Int64 // without what begins and ends transactions
	commits    atomic.Int64 // of transactions that were begun explicitly
}

func newStatementCounter(database *harness.Database) (c *statementCounter, err error) {
	c = &statementCounter{}
	c.listener, err = pgwire.Listen(database.Address(), func() func(pgwire.Message) { return c.count })
	return c, err
}

func (c *statementCounter) close() { _ = c.listener.Close() }

// url is the database's by way of the counter.
func (c *statementCounter) url(database *harness.Database) string {
	return database.URLThrough(c.listener.Addr().String())
}

func (c *statementCounter) count(message pgwire.Message) {
	switch message.Type {
	case 'E':
		c.statements.Add(1)
	case 'Q': // its text
		text := strings.ToUpper(string(message.Content[:min(len(message.Content), 8)]))
		switch {
		case strings.HasPrefix(text, "COMMIT"):
			c.commits.Add(1)
		case strings.HasPrefix(text, "BEGIN"), strings.HasPrefix(text, "ROLLBACK"):
		default:
			c.statements.Add(1)
		}
	}
}
