package recorded

import (
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"emissor/fiscal/drift"
)

const knownShapes = "../../fiscal/drift/known.tsv"

// The shape of each recording, and of what the simulators answer, which are made from the authorities' documents, is
// known to the product. With -update it becomes so.
func TestShapes(t *testing.T) {
	file, err := os.ReadFile(knownShapes)
	if err != nil {
		t.Fatal(err)
	}
	found := &shapes{known: drift.Lines(string(file))}
	all, err := ReadAll("answers")
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range all {
		for _, answer := range one.Answers {
			// In XML stands a document where its placeholder does, in JSON a text.
			body := strings.NewReplacer(">{{nfse}}<", "><NFSe></NFSe><").Replace(answer.Body)
			if one.Header["authority"] != "none" {
				found.of(one.Header["authority"])(string(answer.Call), false, answer.Status, answer.Media, []byte(body))
			}
		}
	}
	for authority, calls := range map[string][]Call{
		"national": {Issue, Find, Cancel, FindCancellation, Distribute, AskCity},
		"teresina": {Issue, Find, Cancel, FindCancellation}, "campinas": {Issue, Find},
		"brasilia": {Issue, Find, Cancel, FindCancellation}, "arealva": {Issue, Find, Cancel, FindCancellation},
	} {
		for _, call := range calls {
			simulated := Recording{Header: map[string]string{"authority": authority, "call": string(call)}}
			follow(t, simulated, found.of(authority))
		}
	}
	if len(found.news) == 0 {
		return
	}
	slices.Sort(found.news)
	if !*update {
		t.Fatalf("%s has not\n\t%s", knownShapes, strings.Join(found.news, "\n\t"))
	}
	lines := append(found.known, found.news...)
	slices.Sort(lines)
	comments, _, _ := strings.Cut(string(file), "\n\n")
	if err := os.WriteFile(knownShapes, []byte(comments+"\n\n"+strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// shapes collects what is new.
type shapes struct {
	known []string // lines of the table
	mu    sync.Mutex
	news  []string // others
}

func (s *shapes) of(authority string) observer {
	family := string(familyRow(authority).Family)
	if family == "" {
		family = authority
	}
	return func(call string, _ bool, status int, contentType string, body []byte) {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, line := range drift.Rows(family, call, status, contentType, body) {
			if !slices.Contains(s.known, line) && !slices.Contains(s.news, line) {
				s.news = append(s.news, line)
			}
		}
	}
}
