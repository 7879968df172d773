package generated

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/mail"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/internal/webhook"
	"emissor/nfse/fact"
)

// patience is how long nothing may move before what has not ended is said to be stuck.
const patience = 90 * time.Second

// awaitEnds waits until every note has ended, every cancellation is resolved, and
// everything that follows was done.
func (s *system) awaitEnds(t *testing.T) {
	for _, what := range []string{ // each of things that have not ended
		`SELECT id || ' ' || reference || ' ' || status || ': ' || coalesce(held_reason::text, '') FROM notes
			WHERE status IN ('queued', 'processing') OR cancellation_status = 'pending'`,
		`SELECT id || ': ' || coalesce(reason::text, '') FROM deliveries WHERE status = 'pending'`,
		`SELECT id || ': ' || coalesce(last_problem::text, '') FROM emails WHERE status = 'pending'`,
		`SELECT kind || ' ' || subject_id || ': ' || coalesce(last_error, '') FROM outbox`,
	} {
		left, began := -1, time.Now()
		since := began
		for left != 0 {
			var open []string
			must(t, s.SQL.Select(&open, what))
			if len(open) != left {
				left, since = len(open), time.Now()
			}
			if time.Since(since) > patience {
				t.Errorf("%d did not end: %+q\n%s", left, open, what)
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Logf("%s for %.40s", time.Since(began).Round(time.Millisecond), what)
	}
}

// checkAlarms finds notes that alarmed, which people look at: nothing here is out of the ordinary, also not
// that the authorities have other rates of the ISS than the services.
func (s *system) checkAlarms(t *testing.T) {
	var alarms []string
	must(t, s.SQL.Select(&alarms, `SELECT DISTINCT note_id || ': ' || fact::text FROM note_steps
		WHERE fact ->> 'code' = 'alarm' LIMIT 20`))
	if len(alarms) > 0 {
		t.Errorf("notes alarm: %+q", alarms)
	}
}

// checkNotes asks for every note, and for its document.
func (c *caller) checkNotes(t *testing.T) {
	ends, codes := map[string]int{}, map[string]int{} // of the second, what rejections say
	for _, n := range c.notes {
		n.last = c.call(t, http.MethodGet, "/v1/nfse/"+n.id, nil).Expect(t, http.StatusOK)
		ends[n.last.Text("status")]++
		if n.last.Text("reference") != n.reference || n.last.At("amount_cents") == nil {
			t.Errorf("%+q is answered as %s", n.reference, n.last.Raw)
		}
		if code := n.last.Text("rejection", "code"); code != "" {
			codes[code+" "+n.last.Text("rejection", "message")]++
			if n.last.Text("rejection", "explanation") == "" || n.last.Text("rejection", "action") == "" {
				t.Errorf("%+q was rejected without words: %s", n.reference, n.last.Raw)
			}
		}
		if n.refused && n.last.Text("status") != "rejected" {
			t.Errorf("%+q could not be cancelled, and is %s", n.reference, n.last.Raw)
		}
		switch n.last.Text("cancellation", "status") {
		case "accepted", "not_needed":
		case "":
			if n.cancel != nil && !n.refused {
				t.Errorf("nobody knows that %+q was to be cancelled: %s", n.reference, n.last.Raw)
			}
		default:
			t.Errorf("the cancellation of %+q is %s", n.reference, n.last.Raw)
		}
		c.checkXML(t, n)
	}
	t.Logf("%d requests, %d notes: %v, rejected for %v", c.requests, len(c.notes), ends, codes)
	if 10*(ends["issued"]+ends["cancelled"]) < len(c.notes) {
		t.Errorf("nearly all notes were rejected, for %v", codes)
	}
	c.checkList(t)
}

// checkXML holds the document of a note: it is XML, and a simulated one says what was
// sent.
func (c *caller) checkXML(t *testing.T, n *note) {
	answer := c.call(t, http.MethodGet, "/v1/nfse/"+n.id+"/xml", nil)
	if n.last.At("issued_at") == nil {
		answer.Expect(t, http.StatusConflict)
		return
	}
	n.xml = answer.Expect(t, http.StatusOK).Raw
	decoder, texts := xml.NewDecoder(bytes.NewReader(answer.Raw)), map[string]string{}
	element := ""
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Errorf("the document of %+q is no XML: %v\n%s", n.reference, err, answer.Raw)
			return
		}
		switch token := token.(type) {
		case xml.StartElement:
			element = token.Name.Local
		case xml.EndElement:
			element = ""
		case xml.CharData:
			texts[element] += string(token)
		}
	}
	if !c.scope.Livemode && texts["reference"] != inXML(n.reference) {
		t.Errorf("the document of %+q is of %+q", n.reference, texts["reference"])
	}
}

// inXML is a text without what XML has no characters for.
func inXML(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\ufffe' || r == '\uffff' {
			return '\ufffd'
		}
		return r
	}, text)
}

// checkList walks through the list of notes: all are there, newest first.
func (c *caller) checkList(t *testing.T) {
	var listed []string
	for path := "/v1/nfse?limit=37"; path != ""; {
		page := c.call(t, http.MethodGet, path, nil).Expect(t, http.StatusOK)
		for _, item := range page.At("data").([]any) {
			listed = append(listed, item.(map[string]any)["id"].(string))
		}
		path = ""
		if next := page.Text("next_cursor"); next != "" {
			path = "/v1/nfse?limit=37&starting_after=" + next
		}
	}
	sent := make([]string, len(c.notes))
	for i, n := range c.notes {
		sent[len(sent)-1-i] = n.id
	}
	if !slices.Equal(listed, sent) {
		t.Errorf("of %d notes %d are listed, or in another order", len(sent), len(listed))
	}
}

// told is an event as its receiver got it.
type told struct {
	ID, Type string
	Data     struct {
		Object struct{ ID, Reference, Status string }
	}
}

// checkEvents holds what the scope's receiver got: for each state in which a note
// ended one event, signed, in the bytes on record.
func (c *caller) checkEvents(t *testing.T) {
	bodies, events := map[string][]byte{}, map[string][]string{} // by event, and by note
	for _, call := range c.scope.receiver.Calls() {
		var event told
		must(t, json.Unmarshal(call.Body, &event))
		if again, was := bodies[event.ID]; was && !bytes.Equal(again, call.Body) {
			t.Errorf("%s came twice, in other bytes", event.ID)
		} else if !was {
			events[event.Data.Object.ID] = append(events[event.Data.Object.ID], event.Type)
		}
		bodies[event.ID] = call.Body
		if !call.IsSigned(c.scope.secret) {
			t.Errorf("the signature %q is wrong", call.Header.Get(webhook.SignatureHeader))
		}
		if kept := c.system.Plain(t, `SELECT payload FROM events WHERE id = $1`, event.ID); kept !=
			string(call.Body) {
			t.Errorf("%s came as %s, and is on record as %s", event.ID, call.Body, kept)
		}
		if note := event.Data.Object; event.Type != "nfse."+note.Status {
			t.Errorf("%s is of a note that is %s", event.Type, note.Status)
		}
	}
	for _, n := range c.notes {
		got := events[n.id]
		if slices.Sort(got); !slices.Equal(got, n.expectedEvents()) {
			t.Errorf("of %+q came %q, expected are %q", n.reference, got, n.expectedEvents())
		}
	}
}

// expectedEvents are the types of a note's events, sorted.
func (n *note) expectedEvents() []string {
	switch {
	case n.last.Text("status") == "cancelled" && n.last.At("issued_at") != nil:
		return []string{"nfse.cancelled", "nfse.issued"}
	default:
		return []string{"nfse." + n.last.Text("status")}
	}
}

// checkEmails holds that every live note whose key asks for it has its e-mail, sent or
// with the reason why not, and that what was sent can be read.
func (c *caller) checkEmails(t *testing.T) {
	var rows []struct {
		ID     string
		NoteID string `db:"note_id"`
		Status string
		Reason fact.Fact
	}
	must(t, c.system.SQL.Select(&rows, `SELECT id, note_id, status, reason FROM emails
		WHERE organization_id = $1 AND livemode = $2`, c.scope.OrganizationID, c.scope.Livemode))
	messages, status, notes := map[string]string{}, map[string]string{}, map[string]*note{}
	for _, n := range c.notes {
		notes[n.id] = n
	}
	for _, raw := range c.system.box.Received() {
		message, err := mail.ReadMessage(strings.NewReader(raw))
		if err != nil {
			t.Errorf("an e-mail is none: %v\n%s", err, raw)
			continue
		}
		messages[strings.Trim(message.Header.Get("Message-Id"), "<>")] = raw
	}
	reasons := map[string]int{}
	for _, row := range rows {
		status[row.NoteID] = row.Status
		if !row.Reason.None() {
			reasons[row.Reason.English()]++
		}
		raw, arrived := messages[row.ID+"@emissor.example"]
		if arrived != (row.Status == "sent") || row.Status != "sent" && row.Reason.None() {
			t.Errorf("the e-mail %s is %s; it arrived: %t", row.ID, row.Status, arrived)
		}
		if arrived {
			notes[row.NoteID].checkMessage(t, raw)
		}
	}
	for _, n := range c.notes {
		wanted := c.scope.Livemode && n.key.defaults.EmailCustomer && n.last.At("issued_at") != nil
		if (status[n.id] != "") != wanted {
			t.Errorf("%+q has the e-mail %q", n.reference, status[n.id])
		}
	}
	t.Logf("%d e-mails, not sent for %v", len(rows), reasons)
}

// checkMessage reads an e-mail as a program does: it is addressed, and has the note's
// document.
func (n *note) checkMessage(t *testing.T, raw string) {
	t.Helper()
	message, err := mail.ReadMessage(strings.NewReader(raw))
	must(t, err)
	if _, err := message.Header.AddressList("To"); err != nil {
		t.Errorf("the e-mail of %s is to %q: %v", n.id, message.Header.Get("To"), err)
	}
	for line := range strings.Lines(raw) {
		if len(line) > 1000 { // RFC 5321, 4.5.3.1.6
			t.Errorf("the e-mail of %s has a line of %d bytes: %.120q", n.id, len(line), line)
		}
	}
	_, parameters, err := mime.ParseMediaType(message.Header.Get("Content-Type"))
	must(t, err)
	for parts := multipart.NewReader(message.Body, parameters["boundary"]); ; {
		part, err := parts.NextRawPart()
		if err != nil {
			t.Errorf("the e-mail of %s has no document: %v", n.id, err)
			return
		}
		if !strings.HasPrefix(part.Header.Get("Content-Type"), "application/xml") {
			continue
		}
		content, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, part))
		if err != nil || !bytes.Equal(content, n.xml) {
			t.Errorf("the e-mail of %s has another document: %v", n.id, err)
		}
		return
	}
}
