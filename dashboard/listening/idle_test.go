package listening_test

import (
	"context"
	"fmt"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"

	"emissor/internal/web"
	"emissor/nfse"
	"emissor/store/webhooks"
	"emissor/test/long"
	"emissor/test/testkit"
)

// A thousand commands that listen and hear nothing cost at most 64 kB each, within the limits of connections that stand
// by default, and no statement: however often their requests come again.
func TestListen_Idle(t *testing.T) {
	long.Only(t, "has a thousand commands listen for two of their requests")
	const commands, mostBytes = 1000, 64 << 10
	tap := &testkit.Wiretap{}
	s := testkit.NewSystem(t, testkit.Options{})
	p := serve(t, s, tap.Connect(t, s.As(testkit.Roles.Dashboard)), web.ListenOptions{Connections: 2000, PerAddress: 200})

	type command struct{ key, id string }
	var all []command
	for organization := range commands / webhooks.MostListeners {
		_, key, _ := s.NewOrganization(t, fmt.Sprint("Clínica ", organization))
		for range webhooks.MostListeners {
			all = append(all, command{key, p.listen(t, key).ID})
		}
	}
	p.answers(t, all[0].key, nfse.NewID(nfse.PrefixEndpoint)) // no sooner than the process hears the database
	tap.Take()
	before := inUse()
	ctx, leave := context.WithCancel(t.Context())
	answered := make(chan error, 2*commands)
	var waiting sync.WaitGroup
	for i, c := range all {
		dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, byte(1+i%10))}}
		connection, err := dialer.DialContext(ctx, "tcp", strings.TrimPrefix(p.url, "http://"))
		must(t, err)
		defer connection.Close()
		waiting.Go(func() {
			for polls := 0; polls < 2; polls++ {
				answered <- pollOn(connection, c.key, c.id)
			}
		})
	}
	looked := 0
	testkit.Eventually(t, "all wait", func() bool {
		for _, statement := range tap.Take() {
			if strings.Contains(statement, `"body.event_id"`) {
				looked++
			}
		}
		return looked == commands
	})
	each := (inUse() - before) / commands
	for range 2 * commands {
		if err := <-answered; err != nil {
			t.Fatal(err)
		}
	}
	waiting.Wait()
	leave()
	for _, statement := range tap.Take() {
		if statement != "" { // which asks whether the connection lives
			t.Errorf("idle, they cost a statement: %s", statement)
		}
	}
	t.Logf("each command costs %d bytes, its own end of the connection included", each)
	if each > mostBytes {
		t.Errorf("each command costs %d bytes", each)
	}
}

// inUse are the bytes of heap and stacks that are in use.
func inUse() int64 {
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return int64(memory.HeapAlloc + memory.StackInuse)
}

// pollOn polls on a connection, and expects that nothing came.
func pollOn(connection net.Conn, key, id string) error {
	_, err := fmt.Fprintf(connection, "GET /listen/%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", id, key)
	if err != nil {
		return err
	}
	var answer [1024]byte
	n, err := connection.Read(answer[:])
	if err == nil && !strings.HasSuffix(string(answer[:n]), `{"deliveries":[]}`) {
		err = fmt.Errorf("it was answered %s", answer[:n])
	}
	return err
}

// A command that asks and reads no answer keeps nobody waiting.
func TestListen_StopsReading(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	p := newProcess(t, s)
	service := s.NewService(t, s.TestKey)
	silent, begun := p.listen(t, s.TestKey), p.listen(t, s.TestKey)
	connection, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	must(t, err)
	defer connection.Close()
	must(t, connection.(*net.TCPConn).SetReadBuffer(1))
	for range 50 { // more than buffers take, once there are answers
		_, err := fmt.Fprintf(connection, "GET /listen/%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n",
			silent.ID, s.TestKey)
		must(t, err)
	}
	for i := range 3 {
		note := s.Issue(t, s.TestKey, testkit.Issuance(service, fmt.Sprint("pedido ", i)))
		got := p.poll(t, s.TestKey, begun.ID)
		if len(got) != 1 || got[0].NoteID != note {
			t.Fatalf("beside it another got %+v", got)
		}
		p.took(t, s.TestKey, begun.ID, got[0], 200)
	}
	if waits := s.Count(t, `SELECT count(*) FROM deliveries WHERE endpoint_id = $1 AND status = 'pending'`,
		silent.ID); waits != 3 {
		t.Errorf("for the silent one %d deliveries wait", waits)
	}
}
