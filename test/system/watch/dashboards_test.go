package watch

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// dashboard is what the tests look at of a dashboard for Grafana.
type dashboard struct {
	UID, Title, Description string
	Templating              struct {
		List []struct{ Name, Type, Query string }
	}
	Panels []struct {
		ID                       int
		Type, Title, Description string
		Datasource               struct{ Type, UID string }
		GridPos                  struct{ X, Y, W, H int }
		FieldConfig              struct{ Defaults struct{ Unit string } }
		Targets                  []struct{ RefID, Expr, LegendFormat string }
	}
}

// dashboards are the dashboards that are deployed, by the name of their file.
func dashboards(t *testing.T) map[string]dashboard {
	t.Helper()
	files, err := filepath.Glob(root + "/deploy/grafana/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no dashboards: %v", err)
	}
	all := map[string]dashboard{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var one dashboard
		if err := json.Unmarshal(text, &one); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all[filepath.Base(file)] = one
	}
	return all
}

// A person who opens a dashboard chooses where it reads from, and every panel says what it shows, in which unit, and
// covers no other.
func TestDashboards_Panels(t *testing.T) {
	all := dashboards(t)
	alarms := page(t, alarmsPage)
	for file, is := range all {
		if file != is.UID+".json" || !strings.HasPrefix(is.Title, "Emissor: ") || is.Description == "" {
			t.Errorf("%s is %q, %q, with the description %q", file, is.UID, is.Title, is.Description)
		}
		if !strings.Contains(alarms, "`"+file+"`") {
			t.Errorf("%s does not name %s", alarmsPage, file)
		}
		variable := is.Templating.List
		if len(variable) != 1 || variable[0].Name != "datasource" || variable[0].Query != "prometheus" {
			t.Errorf("%s has the variables %v", file, variable)
		}
		taken := map[[2]int]string{}
		for i, panel := range is.Panels {
			if panel.ID != i+1 || panel.Title == "" || panel.Description == "" ||
				panel.FieldConfig.Defaults.Unit == "" || len(panel.Targets) == 0 {
				t.Errorf("%s: panel %d, %q, lacks its number, title, description, unit or queries", file, panel.ID,
					panel.Title)
			}
			if panel.Datasource.UID != "${datasource}" {
				t.Errorf("%s: %q reads from %q", file, panel.Title, panel.Datasource.UID)
			}
			at := panel.GridPos
			if at.W <= 0 || at.H <= 0 || at.X+at.W > 24 {
				t.Errorf("%s: %q is outside of the page", file, panel.Title)
			}
			for x := at.X; x < at.X+at.W; x++ {
				for y := at.Y; y < at.Y+at.H; y++ {
					if other := taken[[2]int{x, y}]; other != "" {
						t.Fatalf("%s: %q covers %q", file, panel.Title, other)
					}
					taken[[2]int{x, y}] = panel.Title
				}
			}
		}
	}
	if len(all) != 5 {
		t.Errorf("there are %d dashboards", len(all))
	}
}
