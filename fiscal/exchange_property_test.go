package fiscal_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/nfse"
	"emissor/nfse/fact"
)

const gracePeriod = time.Minute

// national is what the rules know of an authority that issues a number at most
// once; destructive of one that cancels the first document when a number is sent
// again, and that may be behind its own commits when it is asked.
var (
	national    = fiscal.Capabilities{Queryable: true, Cancels: true, GracePeriod: gracePeriod, NotFounds: 1}
	destructive = fiscal.Capabilities{Queryable: true, Cancels: true, GracePeriod: gracePeriod, NotFounds: 2}
	askedFirst  = fiscal.Capabilities{Queryable: true, Cancels: true, GracePeriod: gracePeriod, NotFounds: 2,
		AsksFirst: true}
	spending = fiscal.Capabilities{Queryable: true, Cancels: true, GracePeriod: gracePeriod, NotFounds: 2,
		AsksFirst: true, RefusalUsesUpNumber: true}
)

// model is an authority as the rules must expect it: a message can be lost, land
// late (but within the grace period), be answered or not, and a number can be in
// use by another system.
type model struct {
	t            *rapid.T
	kind         fiscal.Kind
	capabilities fiscal.Capabilities
	destructive  bool
	now          time.Duration
	number       int
	made         map[int]thing // by number: the document, or the cancellation under its request
	destroyed    int           // documents of ours that a second sending cancelled
	replaced     map[int]bool  // numbers under which a document of another system was cancelled by a sending
	inFlight     []flight      // messages that have not landed yet
	meanwhile    bool          // another system used a number after it was found to be free
	calm         bool          // nothing goes wrong any more
}

// thing is what exists at the authority.
type thing struct {
	digest string
	shows  time.Duration // when questions begin to find it
	before string        // the digest of what it took the place of, which they find until then
}

const foreign = "foreign"

type flight struct {
	number int
	digest string
	lands  time.Duration
}

// pass lets time go by, and makes what has arrived by then.
func (m *model) pass(most int) {
	m.now += time.Duration(rapid.IntRange(0, most).Draw(m.t, "pass")) * time.Second
	m.land()
}

func (m *model) land() {
	var still []flight
	for _, f := range m.inFlight {
		if f.lands > m.now {
			still = append(still, f)
		} else {
			m.makeAt(f.number, f.digest, f.lands)
		}
	}
	m.inFlight = still
}

// make does what a message asks for. ok is false where it exists already and
// the authority says so.
func (m *model) make(number int, digest string) (ok bool) { return m.makeAt(number, digest, m.now) }

func (m *model) makeAt(number int, digest string, at time.Duration) (ok bool) {
	if m.made[number].digest != "" {
		if !m.destructive {
			return false
		}
		if m.made[number].digest == foreign {
			m.replaced[number] = true
		} else {
			m.destroyed++
		}
	}
	shows := at
	if m.destructive && !m.calm {
		// A question may be behind, by up to a grace period.
		shows += time.Duration(rapid.IntRange(0, 60).Draw(m.t, "behind")) * time.Second
	}
	m.made[number] = thing{digest, shows, m.made[number].digest}
	return true
}

// coming counts what can still land and make something.
func (m *model) coming() (n int) {
	for _, f := range m.inFlight {
		if m.destructive || m.made[f.number].digest == "" {
			n++
		}
	}
	return n
}

func rejection(code string, handling fiscal.Handling) fiscal.Answer {
	return fiscal.Answer{
		Outcome: fiscal.OutcomeRejected, Rejection: &nfse.Rejection{Code: code}, Handling: handling,
	}
}

// send is a sending and its scripted answer.
func (m *model) send(digest string, ours map[string]bool) fiscal.Answer {
	unknown := fiscal.Answer{Outcome: fiscal.OutcomeUnknown}
	scripted := []string{"ok", "lost", "late", "unanswered", "door", "shut", "maintenance", "clock", "refused",
		"register", "mendable", "odd", "uncatalogued"}
	if m.calm {
		scripted = scripted[:1]
	}
	switch rapid.SampledFrom(scripted).Draw(m.t, "answer") {
	case "lost":
		return unknown
	case "late":
		delay := time.Duration(rapid.IntRange(1, int(gracePeriod/time.Second)-1).Draw(m.t, "delay")) * time.Second
		m.inFlight = append(m.inFlight, flight{m.number, digest, m.now + delay})
		return unknown
	case "unanswered":
		m.make(m.number, digest)
		return unknown
	case "door":
		return fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered}
	case "shut": // to our certificate
		return fiscal.Answer{Outcome: fiscal.OutcomeNotDelivered, NeedsPerson: fact.AddCertificateItTakes.Fact()}
	case "maintenance":
		return rejection("E1217", fiscal.TryLater)
	case "clock":
		return rejection("E0008", fiscal.SignAgain)
	case "refused": // by its registers, which may say otherwise to another message
		return rejection("E0160", fiscal.Final)
	case "register": // which a person has corrected by the next time
		answer := rejection("E0025", fiscal.NeedsPerson)
		answer.Unconfirmed = rapid.Bool().Draw(m.t, "unconfirmed")
		if m.kind == fiscal.Issue {
			answer.DoubtFor = time.Duration(rapid.IntRange(0, 30).Draw(m.t, "minutes of doubt")) * time.Minute
		}
		if answer.Unconfirmed && rapid.Bool().Draw(m.t, "done") { // a fault that looks like a refusal
			m.make(m.number, digest)
		}
		return answer
	case "mendable": // without a person
		return rejection(rapid.SampledFrom([]string{"E0116", "E0120", "E0617"}).Draw(m.t, "code"), fiscal.NeedsPerson)
	case "odd": // a fault that looks like a rejection, after it was done or not
		if rapid.Bool().Draw(m.t, "done") {
			m.make(m.number, digest)
		}
		return rejection("E0840", fiscal.NeedsConfirmation)
	case "uncatalogued": // says nothing of whether it was done
		if rapid.Bool().Draw(m.t, "done") {
			m.make(m.number, digest)
		}
		return rejection("E999", fiscal.Uncatalogued)
	}
	if !m.make(m.number, digest) {
		return rejection("E0014", fiscal.AlreadyExists)
	}
	return m.found(ours)
}

// found answers with what exists, whose bytes cannot always be read.
func (m *model) found(ours map[string]bool) fiscal.Answer {
	digest := m.made[m.number].digest
	if m.made[m.number].shows > m.now && m.made[m.number].before != "" {
		digest = m.made[m.number].before
	}
	reading := "read"
	if !m.calm {
		reading = rapid.SampledFrom([]string{"read", "read", "unreadable", "beyond bounds", "unverified",
			"without digest"}).Draw(m.t, "reading")
	}
	if m.kind != fiscal.Issue {
		switch reading {
		case "unreadable", "beyond bounds":
			return fiscal.Answer{Outcome: fiscal.OutcomeUnknown, Unreadable: true, NeedsPerson: needsPerson(reading)}
		}
		return fiscal.Answer{Outcome: fiscal.OutcomeAccepted, Match: fiscal.MatchOurs,
			NeedsPerson: needsPerson(reading)}
	}
	answer := fiscal.Answer{
		Outcome: fiscal.OutcomeAccepted, Document: &fiscal.IssuedDocument{AccessKey: fmt.Sprint("key-", m.number)},
		Unreadable: reading == "unreadable", NeedsPerson: needsPerson(reading),
	}
	if m.replaced[m.number] && digest != foreign {
		answer.HoldSeries = fact.InWords("a document of another system was destroyed")
	}
	if reading != "unreadable" && reading != "beyond bounds" {
		answer.Document.XML = []byte("<NFSe/>")
	}
	if reading == "read" || reading == "unverified" {
		answer.Document.Digest = digest
		answer.Match = fiscal.MatchForeign
		if ours[digest] {
			answer.Match = fiscal.MatchOurs
		}
	}
	return answer
}

// needsPerson says why nothing may be decided by what was read; empty is nothing.
func needsPerson(reading string) fact.Fact {
	if reading == "beyond bounds" || reading == "unverified" {
		return fact.InWords(reading)
	}
	return fact.Fact{}
}

func (m *model) ask(ours map[string]bool) fiscal.Answer {
	if !m.calm && rapid.IntRange(0, 3).Draw(m.t, "out") == 0 {
		return fiscal.Answer{Outcome: fiscal.OutcomeUnknown}
	}
	if made := m.made[m.number]; made.digest != "" && made.shows <= m.now || made.before != "" {
		return m.found(ours)
	}
	return fiscal.Answer{Outcome: fiscal.OutcomeNotFound}
}

// askNumber answers whether a number is free. Another program may still use it then.
func (m *model) askNumber() (numbers fiscal.Numbers) {
	switch {
	case !m.calm && rapid.IntRange(0, 3).Draw(m.t, "out") == 0:
		return fiscal.Numbers{Reason: fact.CallNoConnection.Fact()}
	case m.made[m.number].digest != "":
		return fiscal.Numbers{Used: []int64{int64(m.number)}}
	}
	if !m.calm && rapid.IntRange(0, 9).Draw(m.t, "used meanwhile") == 0 {
		m.made[m.number] = thing{digest: foreign}
		m.meanwhile = true
	}
	return fiscal.Numbers{Free: []int64{int64(m.number)}}
}

func (m *model) ofOurs(ours map[string]bool) (digests []string) {
	for _, made := range m.made {
		if ours[made.digest] {
			digests = append(digests, made.digest)
		}
	}
	return digests
}

// driver executes the actions of an exchange as activities do, and crashes.
type driver struct {
	*model
	exchange fiscal.Exchange
	ours     map[string]bool
	digest   string // of the last message
	sentAt   time.Duration
	notFound time.Duration // when the last question counted as having found nothing
	action   fiscal.Action // that the last decision asked for; empty after a crash
	held     bool          // the series, by a decision that was stored
	doubted  time.Duration // until when a refusal is
}

// next executes one action; done is true at an end.
func (d *driver) next() (done bool) {
	d.exchange.SinceSent, d.exchange.SinceNotFound = d.now-d.sentAt, d.now-d.notFound
	d.exchange.DoubtLeft = max(0, d.doubted-d.now)
	if d.exchange.DoubtedCode != "" && rapid.IntRange(0, 9).Draw(d.t, "older version") == 0 { // which knows of no doubt
		d.exchange.DoubtedCode, d.exchange.DoubtLeft = "", 0
	}
	decision := d.exchange.Next(d.capabilities)
	d.exchange = decision.Exchange
	if d.action != "" && d.action != fiscal.Wait && d.action != fiscal.Hold &&
		d.action != decision.Action && decision.Action != fiscal.Hold &&
		(d.action != fiscal.Send || !d.destructive) { // by then what was not found may be old
		d.t.Fatalf("after %s the stored exchange says %s", d.action, decision.Action)
	}
	d.action = ""
	if d.exchange.Correctable() && rapid.Bool().Draw(d.t, "corrected") { // by a person, meanwhile
		d.exchange.State, d.exchange.Handling, d.exchange.DoubtedCode = fiscal.Unsigned, fiscal.AutoFixed, ""
		return false
	}
	crash := !d.calm && rapid.IntRange(0, 9).Draw(d.t, "crash") == 0
	switch decision.Action {
	case fiscal.Sign:
		// A number is never signed again while something that was sent under it may exist: in doubt, or after a code that
		// no catalogue has.
		if d.exchange.Signings > 0 && (d.ours[d.made[d.number].digest] || d.underWay()) {
			d.t.Fatalf("the number %d is signed anew (%s), and a message of before may count", d.number,
				d.exchange.Handling)
		}
		d.exchange.Signings++
		d.digest = fmt.Sprintf("ours-%d-%d", d.number, d.exchange.Signings)
		d.ours[d.digest] = true
		d.exchange.State, d.exchange.Rejection, d.exchange.Handling = fiscal.Signed, nil, ""
	case fiscal.Send:
		before := d.exchange
		d.exchange, d.sentAt = before.Sending(), d.now
		answer := d.send(d.digest, d.ours)
		if !crash {
			d.store(d.repaired(before.AfterSending(answer, time.Hour)))
		}
	case fiscal.Ask:
		answer := d.ask(d.ours)
		if !crash {
			d.store(d.repaired(d.exchange.AfterAsking(answer, d.capabilities)))
		}
	case fiscal.AskNumber:
		numbers := d.askNumber()
		if !crash {
			d.store(d.exchange.AfterAskingNumber(numbers))
		}
	case fiscal.NextNumber:
		d.number++
		d.exchange = fiscal.Exchange{Kind: d.kind, State: fiscal.Unsigned, Number: int64(d.number)}
		d.digest = ""
	case fiscal.Hold:
		d.pass(3600)
		if d.exchange.Refused() && d.capabilities.RefusalUsesUpNumber { // a person has changed a setting
			d.exchange.Handling = fiscal.AutoFixed
		}
	case fiscal.Settle:
		return true
	}
	return false
}

// underWay reports whether a message of ours can still land under the number.
func (d *driver) underWay() bool {
	return slices.ContainsFunc(d.inFlight, func(f flight) bool { return f.number == d.number })
}

// repaired is what a refusal leads to: what can be corrected is corrected, mostly.
func (d *driver) repaired(decision fiscal.Decision) fiscal.Decision {
	if !decision.Exchange.Refused() {
		return decision
	}
	repair := map[string]fiscal.Repair{
		"E0116": {AutoFix: fiscal.SendRegistration}, "E0120": {AutoFix: fiscal.OmitRegistration},
		"E0617": {AutoFix: fiscal.OmitRate},
	}[decision.Exchange.Rejection.Code]
	can := func(fiscal.AutoFix) bool {
		return !d.capabilities.RefusalUsesUpNumber && rapid.IntRange(0, 3).Draw(d.t, "mendable") > 0
	}
	ends := rapid.IntRange(0, 9).Draw(d.t, "ends") == 0
	repaired := decision.Repaired(repair, can, ends)
	codes := map[string]bool{}
	for _, made := range repaired.Exchange.AutoFixes {
		codes[made.Code] = true
	}
	if made := len(repaired.Exchange.AutoFixes); made > 3 || made != len(codes) {
		d.t.Fatalf("corrected as %v", repaired.Exchange.AutoFixes)
	}
	return repaired
}

func (d *driver) store(decision fiscal.Decision) {
	if decision.Exchange.NotFounds > d.exchange.NotFounds {
		d.notFound = d.now
	}
	if decision.Exchange.DoubtedCode != d.exchange.DoubtedCode {
		d.doubted = d.now + decision.Exchange.DoubtLeft
	}
	d.exchange, d.action = decision.Exchange, decision.Action
	d.held = d.held || !decision.HoldSeries.None()
	switch decision.Action {
	case fiscal.Wait:
		d.now += decision.RetryAfter
	case fiscal.Hold:
		if decision.Exchange.State != fiscal.InDoubt && decision.Exchange.State != fiscal.Signed {
			d.t.Fatalf("it is held in %s", decision.Exchange.State)
		}
		d.pass(3600)
	}
}

// No matter what happens between us and the authority, and wherever we crash: in the end it holds exactly one
// document (or cancellation) of ours and we know it, or none and we say rejected; nothing that we made is destroyed;
// and while the note counts as one of which nothing exists, nothing does and nothing can.
func TestExchange_ExactlyOne(t *testing.T) {
	for name, authority := range map[string]model{
		"Issue":                {kind: fiscal.Issue, capabilities: national},
		"Cancel":               {kind: fiscal.Cancel, capabilities: national},
		"Analysis":             {kind: fiscal.Analysis, capabilities: national},
		"IssueWhereDestroying": {kind: fiscal.Issue, capabilities: destructive, destructive: true},
		"IssueWhereSpending":   {kind: fiscal.Issue, capabilities: spending, destructive: true},
		"IssueWhereAskedFirst": {kind: fiscal.Issue, capabilities: askedFirst, destructive: true},
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { exchangeOnce(t, authority) })
		})
	}
}

func exchangeOnce(t *rapid.T, authority model) {
	m := &authority
	m.t, m.number, m.made, m.replaced = t, 1, map[int]thing{}, map[int]bool{}
	// Another system uses the series. Where a sending destroys what it made, what was not found by asking first must
	// be told.
	if m.kind == fiscal.Issue {
		for number := range rapid.IntRange(0, 2).Draw(t, "foreign") {
			m.made[number+1] = thing{digest: foreign}
		}
	}
	d := &driver{model: m, exchange: fiscal.Exchange{Kind: m.kind, State: fiscal.Unsigned, Number: 1},
		ours: map[string]bool{}}
	for step := range 80 {
		m.calm = step > 40
		m.pass(90)
		if d.next() {
			m.now += time.Hour
			m.land()
			expectOne(t, d)
			return
		}
		if d.exchange.NothingExists() && len(m.ofOurs(d.ours))+m.coming() > 0 {
			t.Fatalf("nothing should exist in %s, but %v does, and %v may", d.exchange.State, m.ofOurs(d.ours),
				m.inFlight)
		}
	}
	t.Fatalf("it is still %s, long after everything works again", d.exchange.State)
}

func expectOne(t *rapid.T, d *driver) {
	exist := d.ofOurs(d.ours)
	switch {
	case d.capabilities.AsksFirst && len(d.replaced) > 0 && !d.meanwhile:
		t.Fatalf("documents of another system were destroyed: %v", d.replaced)
	case d.destroyed > 0:
		t.Fatalf("%d documents were destroyed by a second sending", d.destroyed)
	case d.exchange.State == fiscal.Accepted && d.replaced[d.number] && !d.held:
		t.Fatalf("a document of another system was destroyed under the number %d, and the series goes on", d.number)
	case d.exchange.State == fiscal.Rejected && len(exist) != 0:
		t.Fatalf("rejected (%s), but %v exists", d.exchange.Rejection.Code, exist)
	case d.exchange.State == fiscal.Accepted && len(exist) != 1:
		t.Fatalf("accepted, but %v exists", exist)
	case d.exchange.State == fiscal.Accepted && d.kind == fiscal.Issue &&
		(d.exchange.Document.Digest != exist[0] || d.exchange.AccessKey == ""):
		t.Fatalf("accepted as %+v, but %v exists", d.exchange.Document, exist)
	}
}
