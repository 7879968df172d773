package fiscal_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"emissor/fiscal"
	"emissor/nfse"
)

const quiet = time.Minute

// world is an authority as the rules of exactly one document must expect it: a
// sending can be lost, land late (but before quiet is over), be answered or not,
// and a number can be in use by another system. Numbers issue at most once.
type world struct {
	t        *rapid.T
	now      time.Duration
	number   int
	issued   map[int]string // number -> digest of what it issued
	inFlight []flight       // sendings that have not landed yet
	calm     bool           // nothing goes wrong any more
}

type flight struct {
	number int
	digest string
	lands  time.Duration
}

// land issues what has arrived by now.
func (w *world) land() {
	var still []flight
	for _, f := range w.inFlight {
		switch {
		case f.lands > w.now:
			still = append(still, f)
		case w.issued[f.number] == "":
			w.issued[f.number] = f.digest
		}
	}
	w.inFlight = still
}

// coming counts what can still land and issue something.
func (w *world) coming() (n int) {
	for _, f := range w.inFlight {
		if w.issued[f.number] == "" {
			n++
		}
	}
	return n
}

// send is a sending and its answer.
func (w *world) send(digest string) fiscal.Answer {
	unknown := fiscal.Answer{Outcome: fiscal.Unknown}
	fates := []string{"ok", "lost", "late", "unanswered", "door", "maintenance", "clock", "refused"}
	if w.calm {
		fates = fates[:1]
	}
	switch rapid.SampledFrom(fates).Draw(w.t, "fate") {
	case "lost":
		return unknown
	case "late":
		delay := time.Duration(rapid.IntRange(1, int(quiet/time.Second)-1).Draw(w.t, "delay")) * time.Second
		w.inFlight = append(w.inFlight, flight{w.number, digest, w.now + delay})
		return unknown
	case "unanswered":
		w.receive(digest)
		return unknown
	case "door":
		return fiscal.Answer{Outcome: fiscal.NotDelivered}
	case "maintenance":
		return fiscal.Answer{Outcome: fiscal.Rejected, Rejection: &nfse.Rejection{Code: "E1217"}, Treatment: fiscal.TryLater}
	case "clock":
		return fiscal.Answer{Outcome: fiscal.Rejected, Rejection: &nfse.Rejection{Code: "E0008"}, Treatment: fiscal.RenderAgain}
	case "refused": // by its registers, which may say otherwise to another sending
		return fiscal.Answer{Outcome: fiscal.Rejected, Rejection: &nfse.Rejection{Code: "E0160"}, Treatment: fiscal.Final}
	}
	return w.receive(digest)
}

func (w *world) receive(digest string) fiscal.Answer {
	if w.issued[w.number] != "" {
		return fiscal.Answer{Outcome: fiscal.Rejected, Rejection: &nfse.Rejection{Code: "E0014"}, Treatment: fiscal.Collision}
	}
	w.issued[w.number] = digest
	return w.found(digest)
}

// found answers with a document whose bytes cannot always be read.
func (w *world) found(digest string) fiscal.Answer {
	document := &fiscal.IssuedDocument{AccessKey: fmt.Sprint("key-", w.number)}
	reading := "read"
	if !w.calm {
		reading = rapid.SampledFrom([]string{"read", "read", "unreadable", "without digest"}).Draw(w.t, "reading")
	}
	if reading != "unreadable" {
		document.XML = []byte("<NFSe/>")
	}
	if reading == "read" {
		document.Digest = digest
	}
	return fiscal.Answer{Outcome: fiscal.Issued, Document: document}
}

func (w *world) ask() fiscal.Answer {
	if !w.calm && rapid.IntRange(0, 3).Draw(w.t, "out") == 0 {
		return fiscal.Answer{Outcome: fiscal.Unknown}
	}
	if digest := w.issued[w.number]; digest != "" {
		return w.found(digest)
	}
	return fiscal.Answer{Outcome: fiscal.Absent}
}

// Whatever happens between us and the authority, and wherever we crash: in the
// end it holds exactly one document of ours and we know it, or none and we say
// rejected; and while the note counts as one of which nothing exists, nothing
// does and nothing can.
func TestExactlyOneDocument(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &world{t: t, number: 1, issued: map[int]string{}}
		for foreign := range rapid.IntRange(0, 2).Draw(t, "foreign") {
			w.issued[foreign+1] = "foreign" // another system uses the series
		}
		progress := fiscal.Progress{State: fiscal.Numbered}
		ours := map[string]bool{}
		var digest string
		var renderings int
		var lastSent time.Duration
		for step := range 60 {
			w.calm = step > 30
			w.now += time.Duration(rapid.IntRange(0, 90).Draw(t, "pass")) * time.Second
			w.land()
			crash := !w.calm && rapid.IntRange(0, 9).Draw(t, "crash") == 0
			switch progress.State {
			case fiscal.Numbered:
				renderings++
				digest = fmt.Sprintf("ours-%d-%d", w.number, renderings)
				ours[digest] = true
				progress = fiscal.Progress{State: fiscal.Ready, Doubtful: progress.Doubtful, Layout: progress.Layout}
			case fiscal.Ready:
				before := progress
				progress = progress.Sending()
				lastSent = w.now
				answer := w.send(digest)
				if !crash {
					progress = before.Answered(answer, whose(answer, ours))
				}
			case fiscal.Asking:
				answer := w.ask()
				if !crash {
					progress = progress.Found(answer, whose(answer, ours), w.now-lastSent, quiet)
				}
			case fiscal.Taken:
				w.number++
				renderings = 0
				progress = fiscal.Progress{State: fiscal.Numbered}
			case fiscal.Done, fiscal.Refused:
				w.now += time.Hour
				w.land()
				expect(t, progress, w, ours)
				return
			}
			if progress.NothingExists() && len(mine(w, ours))+w.coming() > 0 {
				t.Fatalf("nothing should exist in %s, but %v does, and %v may", progress.State, mine(w, ours), w.inFlight)
			}
		}
		t.Fatalf("it is still %s, long after everything works again", progress.State)
	})
}

func expect(t *rapid.T, progress fiscal.Progress, w *world, ours map[string]bool) {
	exist := mine(w, ours)
	switch {
	case progress.State == fiscal.Refused && len(exist) != 0:
		t.Fatalf("refused (%s), but %v exists", progress.Refusal.Code, exist)
	case progress.State == fiscal.Done && (len(exist) != 1 || progress.Document.Digest != exist[0] || progress.AccessKey == ""):
		t.Fatalf("issued as %+v, but %v exists", progress.Document, exist)
	}
}

func whose(answer fiscal.Answer, ours map[string]bool) fiscal.Ownership {
	switch {
	case answer.Document == nil || answer.Document.Digest == "":
		return fiscal.Unclear
	case ours[answer.Document.Digest]:
		return fiscal.Ours
	}
	return fiscal.Foreign
}

func mine(w *world, ours map[string]bool) (digests []string) {
	for _, digest := range w.issued {
		if ours[digest] {
			digests = append(digests, digest)
		}
	}
	return digests
}

func TestARejectionAfterDoubtIsBelievedOnlyAfterTheQuietTime(t *testing.T) {
	refusal := fiscal.Answer{Outcome: fiscal.Rejected, Rejection: &nfse.Rejection{Code: "E0310"}, Treatment: fiscal.Final}
	absent := fiscal.Answer{Outcome: fiscal.Absent}
	certain := fiscal.Progress{State: fiscal.Ready}
	if after := certain.Answered(refusal, fiscal.Unclear); after.State != fiscal.Refused {
		t.Errorf("a first rejection leads to %s", after.State)
	}
	doubtful := certain.Answered(fiscal.Answer{Outcome: fiscal.Unknown}, fiscal.Unclear)
	ready := doubtful.Found(absent, fiscal.Unclear, quiet, quiet)
	if doubtful.State != fiscal.Asking || ready.State != fiscal.Ready || ready.NothingExists() {
		t.Fatalf("%+v, %+v", doubtful, ready)
	}
	rejected := ready.Answered(refusal, fiscal.Unclear)
	if rejected.State != fiscal.Asking || rejected.Refusal.Code != "E0310" {
		t.Errorf("a rejection after doubt leads to %+v", rejected)
	}
	if early := rejected.Found(absent, fiscal.Unclear, quiet-time.Second, quiet); early.State != fiscal.Asking {
		t.Errorf("before the quiet time it is %s", early.State)
	}
	if after := rejected.Found(absent, fiscal.Unclear, quiet, quiet); after.State != fiscal.Refused {
		t.Errorf("after the quiet time it is %s", after.State)
	}
}

func TestAnAuthorityThatOnceNamedAKeyIsNotBelievedToHaveNothing(t *testing.T) {
	unread := fiscal.Answer{Outcome: fiscal.Issued, Document: &fiscal.IssuedDocument{AccessKey: "key"}}
	progress := fiscal.Progress{State: fiscal.Ready}.Answered(unread, fiscal.Unclear)
	if progress.State != fiscal.Asking || progress.AccessKey != "key" {
		t.Fatalf("%+v", progress)
	}
	if after := progress.Found(fiscal.Answer{Outcome: fiscal.Absent}, fiscal.Unclear, time.Hour, quiet); after.State != fiscal.Asking {
		t.Errorf("it may be sent again: %+v", after)
	}
}

func TestABlockedDocumentIsNotSettled(t *testing.T) {
	blocked := fiscal.Answer{Outcome: fiscal.Issued, Document: &fiscal.IssuedDocument{AccessKey: "key", XML: []byte("x"), Blocks: true}}
	progress := fiscal.Progress{State: fiscal.Asking}.Found(blocked, fiscal.Ours, time.Hour, quiet)
	if progress.State != fiscal.Asking || progress.AccessKey != "key" {
		t.Errorf("%+v", progress)
	}
	blocked.Document.Blocks = false
	if after := progress.Found(blocked, fiscal.Ours, time.Hour, quiet); after.State != fiscal.Done {
		t.Errorf("%+v", after)
	}
}

func TestOnlyAnExistingCancellationIsAccepted(t *testing.T) {
	refused := func(treatment fiscal.Treatment) fiscal.CancelAnswer {
		return fiscal.CancelAnswer{Outcome: fiscal.Rejected, Refusal: &nfse.Refusal{Code: "E"}, Treatment: treatment}
	}
	exists, absent := fiscal.CancelAnswer{Outcome: fiscal.Cancelled, XML: []byte("<evento/>")}, fiscal.CancelAnswer{Outcome: fiscal.Absent}
	ready := fiscal.CancelProgress{State: fiscal.Ready}
	for treatment, expected := range map[fiscal.Treatment][3]fiscal.State{ // after the answer; after a question that finds nothing, or it
		fiscal.Final:     {fiscal.CancelRefused, "", ""},
		fiscal.TryLater:  {fiscal.Ready, "", ""},
		fiscal.Collision: {fiscal.Asking, fiscal.Ready, fiscal.CancelDone},
		fiscal.Barred:    {fiscal.Asking, fiscal.CancelRefused, fiscal.CancelDone},
	} {
		after := ready.Answered(refused(treatment))
		if after.State != expected[0] {
			t.Errorf("%s leads to %s", treatment, after.State)
		}
		if after.State != fiscal.Asking {
			continue
		}
		if early := after.Found(absent, quiet-time.Second, quiet); early.State != fiscal.Asking {
			t.Errorf("%s, too early: %s", treatment, early.State)
		}
		if nothing := after.Found(absent, quiet, quiet); nothing.State != expected[1] {
			t.Errorf("%s, and nothing exists: %s", treatment, nothing.State)
		}
		if found := after.Found(exists, 0, quiet); found.State != expected[2] {
			t.Errorf("%s, and it exists: %s", treatment, found.State)
		}
	}
	unknown := ready.Answered(fiscal.CancelAnswer{Outcome: fiscal.Unknown})
	again := unknown.Found(absent, quiet, quiet)
	if unknown.State != fiscal.Asking || again.State != fiscal.Ready {
		t.Errorf("%+v, %+v", unknown, again)
	}
	if doubted := again.Answered(refused(fiscal.Final)); doubted.State != fiscal.Asking || doubted.Found(absent, quiet, quiet).State != fiscal.CancelRefused {
		t.Errorf("a refusal after doubt: %+v", doubted)
	}
}

// What cannot be compared, or may not be settled, decides nothing.
func TestWhatIsUnclearIsAskedAgain(t *testing.T) {
	asking := fiscal.Progress{State: fiscal.Asking}
	document := fiscal.IssuedDocument{AccessKey: "key", XML: []byte("<NFSe/>")}
	found := fiscal.Answer{Outcome: fiscal.Issued, Document: &document}
	if after := asking.Found(found, fiscal.Unclear, time.Hour, quiet); after.State != fiscal.Asking {
		t.Errorf("a document that cannot be compared leads to %s", after.State)
	}
	if after := asking.Found(found, fiscal.Foreign, time.Hour, quiet); after.State != fiscal.Taken {
		t.Errorf("one of another system leads to %s", after.State)
	}
	document.Blocks = true
	if after := asking.Found(found, fiscal.Foreign, time.Hour, quiet); after.State != fiscal.Asking {
		t.Errorf("one that is not believed leads to %s", after.State)
	}
}

// A number that exists and is not found cannot be cancelled on our own.
func TestACollisionThatIsNotFoundIsNotNothing(t *testing.T) {
	collision := fiscal.Answer{Outcome: fiscal.Rejected, Rejection: &nfse.Rejection{Code: "E0014"}, Treatment: fiscal.Collision}
	asking := fiscal.Progress{State: fiscal.Ready}.Answered(collision, fiscal.Unclear)
	after := asking.Found(fiscal.Answer{Outcome: fiscal.Absent}, fiscal.Unclear, quiet, quiet)
	if asking.State != fiscal.Asking || after.State != fiscal.Ready || after.NothingExists() {
		t.Errorf("%+v, %+v", asking, after)
	}
}

// A refusal in odd circumstances is asked about before it is believed.
func TestABarredRefusalIsAskedAbout(t *testing.T) {
	odd := fiscal.Answer{Outcome: fiscal.Rejected, Rejection: &nfse.Rejection{Code: "RNG9999"}, Treatment: fiscal.Barred}
	asking := fiscal.Progress{State: fiscal.Ready}.Answered(odd, fiscal.Unclear)
	if after := asking.Found(fiscal.Answer{Outcome: fiscal.Absent}, fiscal.Unclear, quiet, quiet); asking.State != fiscal.Asking || after.State != fiscal.Refused {
		t.Errorf("%s, %s", asking.State, after.State)
	}
}
