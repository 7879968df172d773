package adn

import (
	"strings"
	"testing"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/mtls"
	"emissor/nfse/fact"
)

// panicking cannot check the signatures of some documents.
type panicking struct{ of string }

func (p panicking) EventSignatureProblem(_ []byte, id string, _ time.Time) fact.Fact {
	return p.check(id)
}
func (p panicking) DocumentSignatureProblem(_ []byte, id string, _ time.Time) fact.Fact {
	return p.check(id)
}

func (p panicking) check(id string) fact.Fact {
	if strings.Contains(id, p.of) {
		panic("a poison row")
	}
	return fact.Fact{}
}

// An entry that makes the reader panic is flagged, with its content; those around it are
// read.
func TestPage_PoisonEntry(t *testing.T) {
	body := lot(entryOf(11, ours, eventOf(ours, "305101", "001", "")),
		entryOf(12, ours, eventOf(ours, "305102", "001", "")),
		entryOf(13, ours, eventOf(ours, "305103", "001", "")))
	batch := reader{panicking{ours + "305102"}, issuer, false, 10}.batch(mtls.Reply{Status: 200, Body: []byte(body)})
	if batch.Outcome != fiscal.BatchRead || len(batch.Items) != 3 {
		t.Fatalf("%+v", batch)
	}
	for i, item := range batch.Items {
		if poison := i == 1; item.Position != int64(11+i) || item.Problem.None() == poison ||
			(item.Event == nil) != poison || len(item.Content) == 0 {
			t.Errorf("%+v", item)
		}
	}
}

// A document whose signature makes the check panic has a problem.
func TestChecked(t *testing.T) {
	if problem := checked(func() fact.Fact { panic("a poison row") })(); !problem.Is(fact.ExternalSignatureFails) {
		t.Errorf("the problem of what panics is %v", problem)
	}
	forged := fact.InWords("forged")
	if problem := checked(func() fact.Fact { return forged })(); !problem.Equal(forged) {
		t.Errorf("the problem is %v", problem)
	}
}
