package worker_test

import (
	"maps"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/test/testkit"
)

// samples are how often a histogram was observed, by the values of its labels in the order of their names.
func samples(t testing.TB, s *testkit.System, name string) map[string]int {
	t.Helper()
	families, err := s.Metrics.Registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, family := range families {
		if family.GetName() != name {
			continue
		}
		for _, one := range family.GetMetric() {
			var values []string
			for _, label := range one.GetLabel() {
				values = append(values, label.GetValue())
			}
			found[strings.Join(values, " ")] += int(one.GetHistogram().GetSampleCount())
		}
	}
	return found
}

// expectSamples waits until a histogram was observed so often: that is done after the database is written.
func expectSamples(t testing.TB, s *testkit.System, name string, expected map[string]int) {
	t.Helper()
	testkit.Eventually(t, name+" is measured", func() bool { return len(samples(t, s, name)) >= len(expected) })
	if found := samples(t, s, name); !maps.Equal(found, expected) {
		t.Errorf("%s: %v, expected %v", name, found, expected)
	}
}

// How a note came to its end is measured apart: by its authority, and where a person was waited for.
func TestNote_EndIsMeasured(t *testing.T) {
	t.Parallel()
	// What was held goes on, and does not end at once.
	authority := &testkit.ScriptedAuthority{Issuing: each(testkit.BadCert, testkit.Undelivered)}
	s, service := newOwnLive(t, authority)
	held := s.Issue(t, s.LiveKey, testkit.Issuance(service, "held"))
	testkit.Eventually(t, "the note is held", func() bool {
		return s.Count(t, `SELECT count(*) FROM notes WHERE held_reason IS NOT NULL`) == 1
	})
	s.NewCertificate(t)
	s.Await(t, s.LiveKey, held, nfse.StatusIssued)
	s.Await(t, s.LiveKey, s.Issue(t, s.LiveKey, testkit.Issuance(service, "straight")), nfse.StatusIssued)
	sandbox := testkit.Issuance(s.NewService(t, s.TestKey), "sandbox")
	s.Await(t, s.TestKey, s.Issue(t, s.TestKey, sandbox), nfse.StatusIssued)
	expectSamples(t, s, "emissor_note_seconds", map[string]int{
		authority.Name() + " live true issued":  1,
		authority.Name() + " live false issued": 1,
		"simulation test false issued":          1,
	})
}
