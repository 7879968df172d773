package dashboard_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"emissor/dashboard/frame"
	"emissor/nfse"
)

// The steps to the first note and the pages that warn of a service agree, the day before, on it and after,
// on whether live notes need a classification, and since when.
func TestClassification_NeededSince(t *testing.T) {
	t.Parallel()
	noon := time.Date(2027, 1, 1, 12, 0, 0, 0, time.UTC)
	later, since := "Exigida a partir de 01/01/2027; até lá, notas saem sem ela.", "Exigida desde 01/01/2027."
	for name, c := range map[string]struct {
		now           time.Time
		from          nfse.Day
		authority     string
		says, without string
	}{
		"the day before": {noon.AddDate(0, 0, -1), "2027-01-01", "national", later, since},
		"the last hour before, in Brasília": {noon.Add(-10 * time.Hour), "2027-01-01", "national", later,
			since},
		"the day":       {noon, "2027-01-01", "national", since, later},
		"the day after": {noon.AddDate(0, 0, 1), "2027-01-01", "national", since, later},
		"a city that always asks for it": {noon.AddDate(0, 0, -1), "2027-01-01", "sao-paulo",
			"Exigida desde 01/01/2026.", later},
		"never": {noon, "", "national", "", "Exigida"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, func(o *frame.Options) {
				o.ClassifiedFrom, o.Now = c.from, func() time.Time { return c.now }
			})
			s.NewProfile(t, c.authority)
			viewer := s.signedIn(t, "viewer@example.com", s.Organization.ID, nfse.RoleViewer)
			service := s.NewService(t, s.LiveKey)
			warned := strings.HasPrefix(c.says, "Exigida desde")
			for _, path := range []string{"/", "/catalogue/services/" + service, "/catalogue/services"} {
				if path == "/catalogue/services" && !warned {
					continue // its list says only what is missing today
				}
				page := viewer.get(t, s.of(path, s.Organization.ID, "live")).expect(t, http.StatusOK, c.says)
				if strings.Contains(page.body, c.without) {
					t.Errorf("%s says %q", path, c.without)
				}
			}
			list := viewer.get(t, s.of("/catalogue/services", s.Organization.ID, "live")).expect(t, http.StatusOK)
			if strings.Contains(list.body, "classificação IBS/CBS") != warned {
				t.Errorf("the list of services warns: %v", !warned)
			}
		})
	}
}
