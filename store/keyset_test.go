package store_test

import (
	"slices"
	"testing"

	"emissor/internal/seal"
	"emissor/store/operate"
	"emissor/test/testkit"
)

// A column that holds what the keyset sealed and is not among those of a rotation
// would lose its secrets with the old key.
func TestSealedSecrets_EveryColumn(t *testing.T) {
	plain := []string{
		"api_keys.hash", "certificates.fingerprint", "events.payload", "fiscal_calls.body", "fiscal_exchanges.xml",
		"fiscal_messages.xml", "links.hash", "classification_links.hash", "note_documents.xml", "notes.payload_hash",
		"passkeys.credential_id",
		"external_documents.xml", "external_events.content", "external_events.content_hash",
		"email_templates.logo", "archive_segments.digest",
		"month_archive_parts.content", "month_archive_parts.directory", "month_archive_parts.lines",
		"document_dictionaries.certificates", "document_dictionaries.digest", "note_documents.digest",
		"events.payload_digest", "note_references.payload_hash", "exchange_profiles.digest", "service_snapshots.digest",
		"received_notes.xml", "received_notes.xml_hash", "received_events.content", "received_events.content_hash",
	}
	sealed := []string{"certificates.sealed", "city_logins.sealed", "webhook_endpoints.previous_secret", "webhook_endpoints.secret"}
	var columns []string
	must(t, testkit.NewDatabase(t).SQL.Select(&columns, `SELECT table_name || '.' || column_name
		FROM information_schema.columns WHERE table_schema = 'public' AND data_type = 'bytea'`))
	for _, column := range columns {
		if !slices.Contains(plain, column) && !slices.Contains(sealed, column) {
			t.Errorf("%s is new: when it holds what the keyset sealed it belongs to sealedColumns "+
				"(store/keyset.go) and here to sealed, otherwise to plain", column)
		}
	}
}

func TestReseal(t *testing.T) {
	s := testkit.NewSystem(t, testkit.Options{})
	endpoint, _ := s.NewEndpoint(t, "https://example.com", false)
	s.NewCertificate(t)
	removed := s.NewCertificate(t)
	_, err := s.Changes().Companies.RemoveCertificate(t.Context(), s.Organization.ID, removed)
	must(t, err)
	key := int64(s.Sealer.Keys().Primary())
	counts, err := s.Store.Operate.CountSealed(t.Context())
	must(t, err)
	if len(counts) != 1 || counts[key] != 2 {
		t.Errorf("counted are %v", counts)
	}
	var secrets []operate.SealedSecret
	for place := ""; ; {
		page, err := s.Store.Operate.SealedUnder(t.Context(), operate.KeyIDs{key}, place, 1)
		must(t, err)
		if len(page) == 0 {
			break
		}
		secrets, place = append(secrets, page...), page[0].Place()
	}
	if len(secrets) != 2 || secrets[1].ID != endpoint || secrets[1].OrganizationID != s.Organization.ID {
		t.Fatalf("found are %+v", secrets)
	}
	if none, err := s.Store.Operate.SealedUnder(t.Context(), operate.KeyIDs{key + 1}, "", 9); err != nil ||
		len(none) > 0 {
		t.Errorf("of another key there are %v %v", none, err)
	}
	for _, expected := range []bool{true, false} { // the second time something else stands there
		if done, err := s.Store.Operate.Reseal(t.Context(), secrets[1], []byte("sealed anew")); err != nil ||
			done != expected {
			t.Errorf("answered %t %v", done, err)
		}
	}
	if id, ok := seal.KeyOf(secrets[0].Sealed); !ok || int64(id) != key {
		t.Errorf("a sealed secret names the key %d", id)
	}
}

func TestKeysetReports(t *testing.T) {
	database := testkit.NewDatabase(t)
	worker := testkit.OpenStore(t, database.As(testkit.Roles.Worker))
	report := operate.KeysetReport{ProcessID: "5f5c1d62-7c52-4b9b-9d0f-8f7f3a0c7d10",
		Process: "here/1", KeyIDs: operate.KeyIDs{7}, PrimaryKeyID: 7}
	must(t, worker.Operate.ReportKeyset(t.Context(), report))
	report.KeyIDs = operate.KeyIDs{7, 4294967295}
	must(t, worker.Operate.ReportKeyset(t.Context(), report))
	reports, err := worker.Operate.KeysetReports(t.Context())
	must(t, err)
	if len(reports) != 1 || !slices.Equal(reports[0].KeyIDs, report.KeyIDs) || reports[0].Process != "here/1" {
		t.Errorf("the reports are %+v", reports)
	}
	must(t, worker.Operate.ForgetKeysetReport(t.Context(), report.ProcessID))
	if reports, err = worker.Operate.KeysetReports(t.Context()); err != nil || len(reports) > 0 {
		t.Errorf("the reports are %+v %v", reports, err)
	}
	must(t, worker.Operate.ReportKeyset(t.Context(), report))
	database.Exec(t, `UPDATE keyset_reports SET reported_at = now() - interval '25 hours'`)
	report.ProcessID = "5f5c1d62-7c52-4b9b-9d0f-8f7f3a0c7d11"
	must(t, worker.Operate.ReportKeyset(t.Context(), report))
	if kept := database.Count(t, `SELECT count(*) FROM keyset_reports`); kept != 1 {
		t.Errorf("%d reports are kept", kept)
	}
}
