package generated

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"emissor/fiscal/national"
	"emissor/fiscal/saopaulo"
	"emissor/test/generate"
	"emissor/test/testkit"
	"emissor/workflows"
)

// shortest is how many characters a text has at least that is looked for: shorter ones are in other words by chance.
const shortest = 6

// checkHistories holds that the engine has nothing of what people are named, of where they live and of what was done
// for them: not in histories, with their headers, markers and failures, nor in memos and search attributes. The
// reference, by which operators search, is the one text of the caller's that it has.
func (s *system) checkHistories(t *testing.T, callers []*caller) {
	everybody := map[string]*note{} // by text
	ofRun := map[string]*note{}     // by workflow id
	personal := map[*note][]string{}
	for _, c := range callers {
		for _, n := range c.notes {
			ofRun[workflows.NoteID(c.scope.Scope, n.reference)] = n
			personal[n] = c.personal(n)
			for _, text := range personal[n] {
				everybody[text] = n
			}
		}
		for _, secret := range append(c.scope.secrets(), c.scope.receiver.URL) {
			everybody[secret] = nil
		}
	}
	all, looked := slices.Collect(maps.Keys(everybody)), 0
	for _, queue := range []string{s.Queues.Notes(), s.Queues.Deliveries(), s.Queues.Emails(), s.Queues.Maintenance(),
		s.Queues.Distributions(), s.Queues.Exports(), s.Queues.Authority(national.Name),
		s.Queues.Authority(saopaulo.Name)} {
		for _, run := range testkit.EngineRuns(t, s.Temporal, queue) {
			n := ofRun[run.GetExecution().GetWorkflowId()]
			wanted := all
			if n != nil {
				wanted = append(personal[n], generate.Pick(callers[0].Generator, all)) // and of somebody else
			}
			texts := strings.Join(testkit.EngineTexts(t, s.Temporal, run), "\n")
			looked++
			if n != nil && !(strings.Contains(texts, n.id) && strings.Contains(texts, beginning(n.reference, 80))) {
				t.Errorf("what is looked through is not the run of %s, %+q:\n%.3000s", n.id, n.reference, texts)
			}
			texts = withoutReference(t, texts, n)
			for _, text := range wanted {
				if strings.Contains(texts, text) {
					t.Errorf("the engine has %+q in %s:\n%.3000s", text, run.GetExecution().GetWorkflowId(), texts)
				}
			}
		}
	}
	t.Logf("%d runs, and %d texts that nobody may find in them", looked, len(all))
	if looked < len(ofRun) {
		t.Errorf("%d runs were looked through, of %d notes", looked, len(ofRun))
	}
}

// withoutReference takes the reference of a note out of texts: as it is and as a summary shows it, both also with
// the escapes of JSON.
func withoutReference(t *testing.T, texts string, n *note) string {
	if n == nil || utf8.RuneCountInString(n.reference) < shortest {
		return texts
	}
	for _, most := range []int{len(n.reference), 80} {
		shown := beginning(n.reference, most)
		escaped, err := json.Marshal(shown)
		must(t, err)
		texts = strings.NewReplacer(shown, "", string(escaped[1:len(escaped)-1]), "").Replace(texts)
	}
	return texts
}

// beginning is at most so many characters of a text.
func beginning(text string, most int) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), most)])
}

// personal are the texts of a note's taker, and of what was done for them.
func (c *caller) personal(n *note) (texts []string) {
	add := func(text string) {
		if utf8.RuneCountInString(text) >= shortest {
			texts = append(texts, text)
		}
	}
	var walk func(any)
	walk = func(value any) {
		switch value := value.(type) {
		case string:
			add(value)
		case generate.Body:
			for field, value := range value {
				if field != "municipality_code" && field != "country" {
					walk(value)
				}
			}
		}
	}
	walk(n.body["customer"])
	walk(n.body["service"])
	if n.cancel != nil {
		walk(n.cancel["reason_text"])
	}
	if taker := c.customer(n.last.Text("customer_id")); taker != nil {
		add(taker.person.TaxID)
		add(taker.person.Name)
	}
	return texts
}

// secrets are what lets somebody in.
func (s *scope) secrets() (secrets []string) {
	for _, key := range s.keys {
		secrets = append(secrets, key.text)
	}
	return append(secrets, s.secret)
}
