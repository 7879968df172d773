package main

import (
	"strings"
	"testing"
	"time"

	"emissor/test/testkit"
	"emissor/worker/dispatch"
)

// The migration shortens what the deployments of version 1.0 had the engine keep, once, and says so. What an operator
// has set to anything else stays, and so does what is set afterwards, the former time included.
func TestMigrateCommand_Retention(t *testing.T) {
	t.Parallel()
	const month = 30 * 24 * time.Hour
	settings := settingsOf(&testkit.Database{URL: testkit.EmptyDatabase(t)})
	const said = "keeps runs that have ended for a shorter time from now on"
	for _, test := range []struct {
		name         string
		before, want time.Duration
	}{
		{"of version 1.0", month, dispatch.ClosedRunsKept},
		{"of a deployment of today", dispatch.ClosedRunsKept, dispatch.ClosedRunsKept},
		{"a week, by an operator", 7 * 24 * time.Hour, 7 * 24 * time.Hour},
		{"a quarter, by an operator", 3 * month, 3 * month},
	} {
		namespace := testkit.NewNamespaceKeeping(t, test.before)
		settings := settings.with("TEMPORAL_NAMESPACE", namespace)
		result := execute(t, settings, "migrate")
		if kept := testkit.RunsKept(t, namespace); result.code != 0 || kept != test.want {
			t.Errorf("%s: it ended with %d, and %s are kept\n%s", test.name, result.code, kept, result.stderr)
		}
		if strings.Contains(result.stderr, said) != (test.before != test.want) {
			t.Errorf("%s: it says\n%s", test.name, result.stderr)
		}
		testkit.KeepRuns(t, namespace, month)
		result = execute(t, settings, "migrate")
		if kept := testkit.RunsKept(t, namespace); result.code != 0 || kept != month {
			t.Errorf("%s: an operator has set it to a month since, and the next migration to %s", test.name, kept)
		}
	}
}
