package main

import (
	"testing"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/client"

	"emissor/cmd/emissor/cli"
	"emissor/nfse"
	"emissor/test/testkit"
)

// The workers keep copies for as long as they are told.
func TestRetention_Settings(t *testing.T) {
	t.Parallel()
	s := testkit.NewSystem(t, testkit.Options{Worker: true})
	id := s.Issue(t, s.TestKey, testkit.Issuance(s.NewService(t, s.TestKey), "old"))
	s.Await(t, s.TestKey, id, nfse.StatusIssued)
	s.Worker.Stop()
	s.Exec(t, `UPDATE note_documents SET created_at = created_at - interval '8 days'`)
	s.Exec(t, `UPDATE events SET created_at = created_at - interval '8 days'`)

	settings := settingsOf(s.Database).with("EMISSOR_KEEP_TEST_NOTES", "7d")
	worker := start(t, settings, "worker")
	worker.address(t, "metrics and readiness listen")
	schedule := testkit.NewTemporal(t, testkit.Logger(t)).ScheduleClient().GetHandle(t.Context(),
		settings["EMISSOR_TASK_QUEUE"]+"-maintenance")
	after := client.ScheduleTriggerOptions{Overlap: enums.SCHEDULE_OVERLAP_POLICY_BUFFER_ONE} // the one that is open
	testkit.Eventually(t, "the maintenance is begun", func() bool {
		return schedule.Trigger(t.Context(), after) == nil
	})
	testkit.Eventually(t, "the copies are gone", func() bool {
		return s.Count(t, `SELECT count(*) FROM note_documents`)+
			s.Count(t, `SELECT count(*) FROM events WHERE payload <> ''`) == 0
	})
}

func TestAge(t *testing.T) {
	t.Parallel()
	const h = 24 * time.Hour
	for text, expected := range map[string]time.Duration{
		"": 0, "0": 0, "7d": 7 * h, "5y": 5 * 366 * h, "100y": 36600 * h,
	} {
		var a cli.Age
		if err := a.Decode(text); err != nil || time.Duration(a) != expected {
			t.Errorf("%q is %s, %v", text, time.Duration(a), err)
		}
	}
	for _, text := range []string{"d", "-1d", "1", "1h", "90 d", "1.5y", "101y", "36601d", "0d",
		"99999999999999999999d"} {
		if err := new(cli.Age).Decode(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}
