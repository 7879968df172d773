package activities_test

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/activities"
	"emissor/internal/metrics"
	"emissor/internal/metrics/metricstest"
	"emissor/store"
	"emissor/store/operate"
	"emissor/test/testkit"
	"emissor/workflows"
)

// spoiledLog panics when it is told of one row.
type spoiledLog struct {
	slog.Handler
	row string
}

func (h spoiledLog) Handle(ctx context.Context, record slog.Record) error {
	record.Attrs(func(attr slog.Attr) bool {
		if attr.Key == "certificate_id" && attr.Value.String() == h.row {
			panic("poison")
		}
		return true
	})
	return h.Handler.Handle(ctx, record)
}

// A panic over one certificate costs no other its warning. That is the one chore with code
// of Go for each row; what rows do to the statements of all chores is tested in store.
func TestMaintenance_WarningPanics(t *testing.T) {
	database := testkit.NewDatabase(t)
	organization, _, _ := database.NewOrganization(t, "Clínica Exemplo")
	for _, id := range []string{"crt_1", "crt_2", "crt_3"} { // of three companies: none succeeds another
		database.Exec(t, `INSERT INTO certificates (id, organization_id, tax_id, subject, issuer, serial, fingerprint,
			not_before, not_after, sealed) VALUES ($1, $2, md5($1), 'x', 'x', 'x', $1::bytea, now(),
			now() + interval '10 days', 'x')`, id, organization.ID)
	}
	var log bytes.Buffer
	maintenance := &activities.Maintenance{
		Store: testkit.OpenStore(t, database.As(testkit.Roles.Worker)), Metrics: metrics.New(),
		Logger: slog.New(spoiledLog{slog.NewTextHandler(&log, nil), "crt_2"}),
	}
	batch, err := maintenance.WarnOfCertificates(t.Context(), 10)
	if err != nil || batch.Looked != 3 {
		t.Fatalf("%+v, %v", batch, err)
	}
	for _, words := range []string{"certificate_id=crt_1", "certificate_id=crt_3",
		`msg="a warning of a certificate could not be given" loop=certificates row_id=crt_2`} {
		if !strings.Contains(log.String(), words) {
			t.Errorf("the log does not say %s:\n%s", words, log.String())
		}
	}
	if failed := metricstest.FailedLoops(t, maintenance.Metrics); !slices.Equal(failed, []string{"certificates"}) {
		t.Errorf("failures are counted of %q", failed)
	}
}

// What goes of the endpoints of commands that listened goes with the copies that are too old.
func TestMaintenance_ForgetsListeners(t *testing.T) {
	database := testkit.NewDatabase(t)
	organization, _, _ := database.NewOrganization(t, "Clínica Exemplo")
	database.Exec(t, `INSERT INTO webhook_endpoints (id, organization_id, livemode, url, secret, listener_key_id,
		listens_until, deleted_at) VALUES ('whe_1', $1, false, 'http://localhost:3000/hook', 'x', 'key_1',
		now() - interval '8 days', now() - interval '8 days')`, organization.ID)
	maintenance := &activities.Maintenance{
		Store: testkit.OpenStore(t, database.As(testkit.Roles.Worker)), Metrics: metrics.New(), Logger: testkit.Logger(t),
	}
	batch, err := maintenance.RemoveOldCopies(t.Context(), 10)
	if err != nil || batch.Done != 1 || database.Count(t, `SELECT count(*) FROM webhook_endpoints`) != 0 {
		t.Errorf("%+v, %v", batch, err)
	}
}

// What a chore panics with is its error, and nothing of it goes into a history.
func TestMaintenance_ChorePanics(t *testing.T) {
	maintenance := &activities.Maintenance{Store: &store.Store{}, // without a database
		Metrics: metrics.New(), Logger: testkit.Logger(t), Retention: operate.Retention{TestNotes: time.Hour},
	}
	for name, chore := range map[string]func(context.Context, int) (workflows.Batch, error){
		"notes": maintenance.RequeueNotes, "services": maintenance.RetireExpiredServices,
		"copies": maintenance.RemoveOldCopies,
	} {
		if _, err := chore(t.Context(), 10); err == nil || strings.Contains(err.Error(), "nil pointer") {
			t.Errorf("%s: answered %v", name, err)
		}
	}
	if err := maintenance.ReportFailedChore(t.Context(), workflows.ActivityRequeueNotes); err != nil {
		t.Error(err)
	}
	if failed := metricstest.FailedLoops(t, maintenance.Metrics); !slices.Equal(failed, []string{"maintenance"}) {
		t.Errorf("failures are counted of %q", failed)
	}
}
