package dashboard_test

import (
	"bytes"
	"net/http"
	"testing"

	"emissor/dashboard/frame"
	"emissor/internal/trace"
	"emissor/nfse"
	"emissor/test/testkit"
)

// A note by hand has a trace as one of the API has, from the page's request on; what was entered is not in it.
func TestTrace_NoteByHand(t *testing.T) {
	t.Parallel()
	collector := testkit.NewCollector(t)
	options := trace.Options{URL: collector.URL, Ratio: 1}
	system := testkit.NewSystem(t, testkit.Options{Worker: true, Traces: options})
	s := newSiteBeside(t, system, func(options *frame.Options) { options.Traces = system.NewTracer(t, "dashboard") })
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	editor.issues(t, s.at("/notes"), issueForm(s.NewService(t, s.TestKey), "a secret reference")).
		expect(t, http.StatusSeeOther)
	collector.AwaitWays(t, "store.SettleIssued",
		"POST /notes > dispatch note > RunWorkflow:Note > RunActivity:SettleSimulation > store.SettleIssued")
	s.CloseTracers()
	raw := collector.Raw()
	for _, secret := range []string{"a secret reference", "editor@example.com", "52998224725", "529.982.247-25", editor.id} {
		if bytes.Contains(raw, []byte(secret)) {
			t.Errorf("%q is exported", secret)
		}
	}
	if !bytes.Contains(raw, []byte("POST /notes")) {
		t.Error("the page's request is not exported")
	}
}

// Each note of a spreadsheet has a trace of its own, so that thousands of them are not one.
func TestTrace_Spreadsheet(t *testing.T) {
	t.Parallel()
	collector := testkit.NewCollector(t)
	system := testkit.NewSystem(t, testkit.Options{Worker: true, Traces: trace.Options{URL: collector.URL, Ratio: 1}})
	s := newSiteBeside(t, system, func(options *frame.Options) { options.Traces = system.NewTracer(t, "dashboard") })
	service := s.NewService(t, s.TestKey)
	editor := s.signedIn(t, "editor@example.com", s.Organization.ID, nfse.RoleEditor)
	editor.accepts(t, editor.sendsSheet(t, s.at("/batches"), []byte(sheetHead+
		sheetLine(service, "10")+sheetLine(service, "20"))))
	collector.AwaitWays(t, "RunActivity:AcceptLines",
		"POST /batches/{id}/accept > dispatch batch > RunWorkflow:AcceptBatch > RunActivity:AcceptLines")
	collector.AwaitWays(t, "store.SettleIssued",
		"dispatch note > RunWorkflow:Note > RunActivity:SettleSimulation > store.SettleIssued")
}
