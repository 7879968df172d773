package dashboard_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"emissor/dashboard"
	"emissor/nfse"
)

// A file that is opened with the separator of the other language has no formula either.
func TestDownloads_OtherSeparator(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	note := s.noteOf(t, s.LiveKey, "a;=1+1")
	s.Exec(t, `UPDATE notes SET customer = jsonb_set(customer, '{name}', to_jsonb('b,=2+2'::text))`)
	s.entry(t, note, "issued", 100, time.Now())
	for _, path := range []string{"/notes.csv", "/ledger.csv"} {
		for language, separators := range map[string]string{"pt-BR": ",", "en": ";"} {
			file := viewer.send(t, http.MethodGet, s.live(path), http.Header{"Accept-Language": {language}}, "", nil).
				expect(t, http.StatusOK, "a;'=1+1", "b,'=2+2")
			for cell := range strings.FieldsFuncSeq(file.body, func(r rune) bool {
				return strings.ContainsRune(separators+"\r\n", r)
			}) {
				if strings.HasPrefix(strings.TrimLeft(cell, `"`), "=") {
					t.Errorf("%s in %s: %s is a formula", path, language, cell)
				}
			}
		}
	}
}

// longTable fills notes and ledger with what no buffer on the way holds.
func (s *site) longTable(t *testing.T) {
	t.Helper()
	s.noteOf(t, s.LiveKey, "primeira")
	s.Exec(t, `INSERT INTO notes SELECT added.* FROM notes n, generate_series(1, 2500) i,
		jsonb_populate_record(n, jsonb_build_object('id', 'nfse_' || lpad(i::text, 26, '0'),
			'reference', 'longa-' || i)) added`)
	s.Exec(t, `UPDATE notes SET customer = jsonb_set(customer, '{name}', to_jsonb(repeat('x', 8000)))`)
	s.Exec(t, `INSERT INTO ledger_entries (id, organization_id, livemode, note_id, kind, amount_cents, created_at)
		SELECT left(first_id('led_', now()), -8) || right(id, 8), organization_id, livemode, id, 'issued', 1, now()
		FROM notes`)
}

// A download ends with the session, and with the role, of who asked for it.
func TestDownloads_EndOfAccess(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.longTable(t)
	end := map[string]string{
		"session": `UPDATE sessions SET ended_at = now() WHERE user_id = $1`,
		"lifetime": `UPDATE sessions SET data = jsonb_set(data, '{deadline}', '"2026-01-01T00:00:00Z"')
			WHERE user_id = $1`,
		"membership": `DELETE FROM memberships WHERE user_id = $1`,
	}
	for name, statement := range end {
		for _, path := range []string{"/notes.csv", "/ledger.csv"} {
			viewer := s.signedIn(t, name+path[1:4]+"@example.com", s.Organization.ID, nfse.RoleViewer)
			var buffer func(bytes int) error // of what the reader takes unread
			dial := func(ctx context.Context, network, address string) (net.Conn, error) {
				connection, err := new(net.Dialer).DialContext(ctx, network, address)
				if err != nil {
					return nil, err
				}
				buffer = connection.(*net.TCPConn).SetReadBuffer
				return connection, buffer(4096)
			}
			narrow := &http.Transport{DialContext: dial}
			defer narrow.CloseIdleConnections()
			viewer.client.Transport = narrow
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.base+s.live(path), nil)
			must(t, err)
			response, err := viewer.client.Do(request)
			must(t, err)
			defer response.Body.Close()
			_, err = io.ReadFull(response.Body, make([]byte, 1024)) // it has begun
			must(t, err)
			s.Exec(t, statement, viewer.id)
			must(t, buffer(1<<20))
			_, err = io.Copy(io.Discard, response.Body)
			if !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("%s after the end of %s: %v", path, name, err)
			}
		}
	}
}

// Asked only for what a download is, the dashboard reads its first piece alone.
func TestDownloads_Head(t *testing.T) {
	t.Parallel()
	s := newSite(t, nil)
	s.longTable(t)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	s.Exec(t, `UPDATE notes SET customer = '{}' WHERE reference = 'longa-1200'`) // which breaks off who reads it
	for _, path := range []string{"/notes.csv", "/ledger.csv"} {
		answer := viewer.send(t, http.MethodHead, s.live(path), nil, "", nil).expect(t, http.StatusOK)
		if kind := answer.header.Get("Content-Type"); !strings.HasPrefix(kind, "text/csv") {
			t.Errorf("%s is %s", path, kind)
		}
	}
}

// stuck is an answer that nobody fetches: writing it ends when it is released.
type stuck struct {
	*httptest.ResponseRecorder
	writes   chan<- struct{}
	released <-chan struct{}
}

func (s stuck) Write(content []byte) (int, error) {
	s.writes <- struct{}{}
	<-s.released
	return s.ResponseRecorder.Write(content)
}

// However many fetch their DANFSe slowly, others have theirs drawn.
func TestDownloads_SlowReaderOfDANFSe(t *testing.T) {
	t.Parallel()
	s, _, issued, _ := newSettled(t)
	viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
	path := s.at("/notes/" + issued + "/danfse")
	address, err := url.Parse(s.base + path)
	must(t, err)
	writes, released := make(chan struct{}), make(chan struct{})
	var slow sync.WaitGroup
	for range 3 { // more than are drawn at a time
		request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, address.String(), nil)
		for _, cookie := range viewer.client.Jar.Cookies(address) {
			request.AddCookie(cookie)
		}
		slow.Go(func() {
			dashboard.Handler(s.pages).ServeHTTP(stuck{httptest.NewRecorder(), writes, released}, request)
		})
		select {
		case <-writes:
		case <-time.After(time.Minute):
			t.Fatal("a page is not drawn while others are fetched")
		}
	}
	viewer.get(t, path).expect(t, http.StatusOK, "%PDF-")
	close(released)
	slow.Wait()
}
