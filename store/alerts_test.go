package store_test

import (
	"slices"
	"testing"
	"time"

	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/operate"
	"emissor/test/testkit"
)

// told is an organization in live with an owner and a viewer.
func told(t *testing.T) tenancy {
	t.Helper()
	n := addTenant(t, testkit.NewDatabase(t), true)
	for id, role := range map[string]nfse.Role{"usr_owner": nfse.RoleOwner, "usr_viewer": nfse.RoleViewer} {
		n.Exec(t, `INSERT INTO users (id, email, created_at) VALUES ($1, $1 || '@example.com', '2026-01-01')`, id)
		n.Exec(t, `INSERT INTO memberships (organization_id, user_id, role, created_at) VALUES ($1, $2, $3, '2026-01-01')`,
			n.scope.OrganizationID, id, role)
	}
	return n
}

// rejected puts rejected live notes on record.
func (n tenancy) rejected(t *testing.T, many int) {
	t.Helper()
	id := n.accept(t, "rejeitada")
	n.Exec(t, `UPDATE notes SET status = 'rejected', rejected_at = now(), processing_at = now(),
		rejection = '{"code": "E1"}' WHERE id = $1`, id)
	n.Exec(t, `INSERT INTO notes SELECT (jsonb_populate_record(n, jsonb_build_object('id', substr(n.id, 1, 25)
		|| lpad(i::text, 6, '0'), 'reference', 'rejeitada-' || i))).* FROM notes n, generate_series(2, $2) i
		WHERE n.id = $1`, id, many)
}

func (n tenancy) alerted(t *testing.T, kind string) int {
	t.Helper()
	return n.Count(t, `SELECT count(*) FROM alerts WHERE kind = $1`, kind)
}

// A thousand rejections are one e-mail a day to the owner, and each is told once; a held note is told
// at once. Nobody else is told who has not asked for it.
func TestAlerts_OnceAndTogether(t *testing.T) {
	n := told(t)
	n.rejected(t, 1000)
	held := n.accept(t, "parada")
	n.Exec(t, `UPDATE notes SET status = 'processing', processing_at = now(), held_reason = $2, held_since = now()
		WHERE id = $1`, held, fact.NoFiscalProfile.Fact())
	worker := testkit.OpenStore(t, n.As(testkit.Roles.Worker))
	for range 2 {
		must(t, worker.Operate.Alert(t.Context(), false))
	}
	if n.alerted(t, "rejection") != 1000 || n.alerted(t, "held") != 1 {
		t.Errorf("%d rejections and %d held notes are told", n.alerted(t, "rejection"), n.alerted(t, "held"))
	}
	if n.Count(t, `SELECT count(*) FROM alerts WHERE user_id <> 'usr_owner'`) != 0 {
		t.Error("a viewer is told who has not asked")
	}
	if due := n.Count(t, `SELECT count(*) FROM alerts WHERE kind = 'rejection' AND due_at > now()
		AND due_at <= now() + interval '24 hours' AND extract(hour FROM due_at AT TIME ZONE 'UTC') = 11`); due != 1000 {
		t.Errorf("%d are due at 8:00 of Brasília", due)
	}
	if n.Count(t, `SELECT count(*) FROM alert_mails`) != 0 {
		t.Error("something was sent before it was due")
	}
	n.Exec(t, `UPDATE alerts SET due_at = now()`)
	for range 2 {
		must(t, worker.Operate.Alert(t.Context(), false))
	}
	if n.Count(t, `SELECT count(*) FROM alert_mails`) != 1 ||
		n.Count(t, `SELECT count(*) FROM outbox WHERE kind = 'email' AND livemode AND organization_id = $1`,
			n.scope.OrganizationID) != 1 {
		t.Error("they are not one e-mail, or it is not on its way")
	}
	mail, err := worker.Operate.AlertMail(t.Context(), n.Text(t, `SELECT id FROM alert_mails`))
	must(t, err)
	if len(mail.Alerts) != 21 || mail.Address != "usr_owner@example.com" || mail.Alerts[0].What != "parada" ||
		mail.Alerts[1].Count != 1000 {
		t.Errorf("it is %d alerts: %+v", len(mail.Alerts), mail)
	}
	// What comes while one is on its way is in the next.
	n.Exec(t, `UPDATE notes SET held_since = now() - interval '1 hour' WHERE id = $1`, held)
	must(t, n.Store.Operate.Alert(t.Context(), false))
	n.Exec(t, `UPDATE alerts SET due_at = now()`)
	must(t, n.Store.Operate.Alert(t.Context(), false))
	if n.Count(t, `SELECT count(*) FROM alert_mails`) != 1 {
		t.Error("two are on their way at once")
	}
	must(t, worker.Operate.RecordAlertMailSent(t.Context(), mail.ID))
	must(t, n.Store.Operate.Alert(t.Context(), false))
	if n.Count(t, `SELECT count(*) FROM alert_mails`) != 2 {
		t.Error("what came meanwhile is not told")
	}
}

// Each person's settings count, and only for what their role may see.
func TestAlerts_Settings(t *testing.T) {
	n := told(t)
	n.rejected(t, 1)
	set := func(user string, kind operate.AlertKind, how operate.AlertHow) {
		t.Helper()
		by := n.Store.By(nfse.Actor{Kind: nfse.ActorUser, ID: user, From: "::1"})
		must(t, by.Operate.SetAlert(t.Context(), n.scope.OrganizationID, kind, how))
	}
	set("usr_owner", operate.AlertRejection, operate.AlertOff)
	set("usr_viewer", operate.AlertRejection, operate.AlertNow)
	n.Exec(t, `UPDATE memberships SET created_at = now() + interval '1 hour'`)
	must(t, n.Store.Operate.Alert(t.Context(), false))
	if n.alerted(t, "rejection") != 0 {
		t.Error("they are told of what happened before they were members")
	}
	n.Exec(t, `UPDATE memberships SET created_at = '2026-01-01'`)
	must(t, n.Store.Operate.Alert(t.Context(), false))
	if n.alerted(t, "rejection") != 1 || n.Count(t, `SELECT count(*) FROM alerts WHERE user_id = 'usr_viewer'`) != 1 {
		t.Error("the settings do not count")
	}
}

// A certificate is told of at 30, 7 and 1 days, once each, and not when it has a successor.
func TestAlerts_Certificate(t *testing.T) {
	n := told(t)
	n.addCertificate(t, n.personal())
	for days, expected := range map[int]int{40: 0} {
		n.Exec(t, `UPDATE certificates SET not_after = now() + make_interval(days => $1)`, days)
		must(t, n.Store.Operate.Alert(t.Context(), false))
		if n.alerted(t, "certificate") != expected {
			t.Errorf("%d days before it is told", days)
		}
	}
	for i, days := range []int{29, 28, 6, 1} {
		n.Exec(t, `UPDATE certificates SET not_after = now() + make_interval(days => $1)`, days)
		must(t, n.Store.Operate.Alert(t.Context(), false))
		if told := n.alerted(t, "certificate"); told != []int{1, 1, 2, 3}[i] {
			t.Errorf("%d days before it was told %d times", days, told)
		}
	}
}

// Operators are told that nothing moves, that an authority does not answer and that rows fail.
func TestAlerts_Alarms(t *testing.T) {
	n := told(t)
	n.Exec(t, `INSERT INTO users (id, email, operator, created_at)
		VALUES ('usr_op', 'op@example.com', true, '2026-01-01')`)
	n.Exec(t, `INSERT INTO authority_hours (authority, production, municipality_code, hour, outcome, power, calls)
		VALUES ('national', true, '', date_trunc('hour', now()), 'unknown', 0, 30)`)
	n.Exec(t, `INSERT INTO row_failures (loop, row_id, failures, retry_after) VALUES ('roll-ups', '1', 3, now())`)
	n.accept(t, "esquecida")
	n.Exec(t, `UPDATE outbox SET created_at = now() - interval '1 hour', next_attempt_at = now() - interval '1 hour'`)
	for range 2 {
		must(t, n.Store.Operate.Alert(t.Context(), false))
	}
	if n.alerted(t, "alarm") != 3 || n.Count(t, `SELECT count(*) FROM alerts WHERE user_id <> 'usr_op'`) != 0 {
		t.Errorf("told are %s", n.Text(t, `SELECT string_agg(alert_key || ' ' || user_id, ', ') FROM alerts`))
	}
	n.Exec(t, `UPDATE alerts SET due_at = now()`)
	must(t, n.Store.Operate.Alert(t.Context(), false))
	if n.Count(t, `SELECT count(*) FROM outbox WHERE kind = 'email'`) != 1 {
		t.Error("no e-mail is on its way")
	}
}

// An alert that cannot be raised, and an e-mail that cannot be begun, stop no other.
func TestAlerts_Poison(t *testing.T) {
	n := told(t)
	n.rejected(t, 3)
	n.Exec(t, `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		IF to_jsonb(new)::text LIKE '%000002%' OR to_jsonb(new)::text LIKE '%usr_viewer%' AND tg_table_name = 'alert_mails'
		THEN RAISE 'poison'; END IF; RETURN new; END $$`)
	n.Exec(t, `CREATE TRIGGER fail BEFORE INSERT ON alerts FOR EACH ROW EXECUTE FUNCTION fail()`)
	n.Exec(t, `CREATE TRIGGER fail BEFORE INSERT ON alert_mails FOR EACH ROW EXECUTE FUNCTION fail()`)
	must(t, n.Store.By(nfse.Actor{Kind: nfse.ActorUser, ID: "usr_viewer", From: "::1"}).
		Operate.SetAlert(t.Context(), n.scope.OrganizationID, operate.AlertRejection, operate.AlertNow))
	must(t, n.Store.Operate.Alert(t.Context(), false))
	if told := n.alerted(t, "rejection"); told != 4 {
		t.Errorf("%d of four are told", told)
	}
	n.Exec(t, `UPDATE alerts SET due_at = now()`)
	must(t, n.Store.Operate.Alert(t.Context(), false))
	if n.Count(t, `SELECT count(*) FROM alert_mails WHERE user_id = 'usr_owner'`) != 1 {
		t.Error("the owner's e-mail was stopped by the viewer's")
	}
	n.Exec(t, `DROP TRIGGER fail ON alerts`)
	n.Exec(t, `DROP TRIGGER fail ON alert_mails`)
	n.Exec(t, `UPDATE row_failures SET retry_after = now()`)
	must(t, n.Store.Operate.Alert(t.Context(), false))
	if n.alerted(t, "rejection") != 6 || n.Count(t, `SELECT count(*) FROM alert_mails`) != 2 {
		t.Error("what failed is not told when it is mended")
	}
}

// What was told three months ago is removed with its e-mail; an e-mail that is on its way stays, and so does
// one that was told lately.
func TestAlerts_Forgotten(t *testing.T) {
	n := told(t)
	n.Exec(t, `INSERT INTO alert_mails (id, user_id, organization_id, status, resolved_at)
		VALUES ('old', 'usr_owner', $1, 'sent', now() - interval '91 days'),
			('lately', 'usr_owner', $1, 'failed', now() - interval '89 days'),
			('under way', 'usr_owner', $1, 'pending', NULL)`, n.scope.OrganizationID)
	n.Exec(t, `INSERT INTO alerts (user_id, alert_key, organization_id, kind, subject_id, raised_at, due_at, mail_id)
		SELECT 'usr_owner', id, organization_id, 'held', '1', coalesce(resolved_at, now()), now(), id FROM alert_mails`)
	must(t, testkit.OpenStore(t, n.As(testkit.Roles.Worker)).Operate.Alert(t.Context(), false))
	if left := n.Text(t, `SELECT string_agg(id, ', ' ORDER BY id) FROM alert_mails`); left != "lately, under way" {
		t.Errorf("left are %s", left)
	}
	if n.Count(t, `SELECT count(*) FROM alerts`) != 2 {
		t.Error("the alerts of what is left are gone, or the old one is not")
	}
}

// Between raising and sending a person may leave, get another role, or choose otherwise: the e-mail has what they
// would be told of now.
func TestAlerts_NoLongerTold(t *testing.T) {
	for name, change := range map[string]struct {
		with string
		left []operate.AlertKind
	}{
		"nothing":      {`SELECT`, []operate.AlertKind{operate.AlertCertificate, operate.AlertHeld}},
		"another role": {`UPDATE memberships SET role = 'developer'`, []operate.AlertKind{operate.AlertHeld}},
		"removed":      {`DELETE FROM memberships`, nil},
		"invited anew": {`UPDATE memberships SET created_at = now() + interval '1 hour'`, nil},
		"turned off": {`UPDATE alert_settings SET how = 'off' WHERE kind = 'held'`,
			[]operate.AlertKind{operate.AlertCertificate}},
		"account removed": {`UPDATE users SET removed_at = now()`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			n := told(t)
			kinds := []operate.AlertKind{operate.AlertCertificate, operate.AlertHeld}
			for _, kind := range kinds { // chosen, so that another role alone changes nothing
				must(t, n.Store.By(nfse.Actor{Kind: nfse.ActorUser, ID: "usr_owner", From: "::1"}).
					Operate.SetAlert(t.Context(), n.scope.OrganizationID, kind, operate.AlertNow))
			}
			id := n.mailed(t, "usr_owner", kinds...)
			n.Exec(t, change.with)
			n.expectTold(t, id, change.left...)
		})
	}
	t.Run("no operator any more", func(t *testing.T) {
		n := told(t)
		n.Exec(t, `INSERT INTO users (id, email, operator, created_at)
			VALUES ('usr_op', 'op@example.com', true, '2026-01-01')`)
		n.scope.OrganizationID = ""
		id := n.mailed(t, "usr_op", operate.AlertAlarm)
		n.expectTold(t, id, operate.AlertAlarm)
		n.Exec(t, `UPDATE users SET operator = false`)
		n.expectTold(t, id)
		n.expectTold(t, n.mailed(t, "", operate.AlertAlarm), operate.AlertAlarm) // the URL is told still
	})
}

// mailed puts an e-mail with an alert of each kind to somebody on record.
func (n tenancy) mailed(t *testing.T, user string, kinds ...operate.AlertKind) (id string) {
	t.Helper()
	id = "alm_" + user
	n.Exec(t, `INSERT INTO alert_mails (id, user_id, organization_id) VALUES ($1, $2, $3)`, id, user,
		n.scope.OrganizationID)
	for _, kind := range kinds {
		n.Exec(t, `INSERT INTO alerts (user_id, alert_key, organization_id, kind, subject_id, due_at, mail_id)
			VALUES ($1, $2, $3, $2, 'x', now(), $4)`, user, kind, n.scope.OrganizationID, id)
	}
	return id
}

// expectTold expects an e-mail to have an alert of each kind, as a worker reads it.
func (n tenancy) expectTold(t *testing.T, id string, kinds ...operate.AlertKind) {
	t.Helper()
	mail, err := testkit.OpenStore(t, n.As(testkit.Roles.Worker)).Operate.AlertMail(t.Context(), id)
	must(t, err)
	var told []operate.AlertKind
	for _, one := range mail.Alerts {
		told = append(told, one.Kind)
	}
	if !slices.Equal(told, kinds) {
		t.Errorf("they are told of %v, expected %v", told, kinds)
	}
}

// Operators see whom alerts did not reach, until a later e-mail does.
func TestTroubles_FailedAlerts(t *testing.T) {
	n := told(t)
	n.Exec(t, `INSERT INTO alert_mails (id, user_id, organization_id, status, resolved_at, last_problem)
		VALUES ('m1', 'usr_owner', $1, 'failed', now() - interval '1 hour', $2)`, n.scope.OrganizationID,
		fact.MailAddressWrong.Fact())
	failed := func() []operate.FailedAlertMail {
		all, err := n.Store.Operate.Troubles(t.Context(), time.Now(), 50)
		must(t, err)
		return all.Alerts
	}
	if all := failed(); len(all) != 1 || all[0].Address != "usr_owner@example.com" ||
		!all[0].Problem.Is(fact.MailAddressWrong) || all[0].Organization == "" {
		t.Errorf("they are %+v", all)
	}
	n.Exec(t, `INSERT INTO alert_mails (id, user_id, organization_id, status, resolved_at, last_problem)
		VALUES ('m0', 'usr_viewer', $1, 'failed', now(), $2)`, n.scope.OrganizationID, fact.AlertsUnwanted.Fact())
	if all := failed(); len(all) != 1 {
		t.Errorf("with who was not to be told any more they are %+v", all)
	}
	n.Exec(t, `INSERT INTO alert_mails (id, user_id, organization_id, status, resolved_at)
		VALUES ('m2', 'usr_owner', $1, 'sent', now())`, n.scope.OrganizationID)
	if all := failed(); len(all) != 0 {
		t.Errorf("they are %+v", all)
	}
}

// A note that a gateway's pages have held and released in turn is told once an hour; another reason is told at once.
func TestAlerts_HeldAgain(t *testing.T) {
	n := told(t)
	id := n.accept(t, "parada")
	for _, again := range []struct {
		reason fact.Fact
		after  string // the beginning of an hour
		told   int
	}{
		{fact.CityServerMoved.With("status", 404), "1 minute", 1},
		{fact.CityServerMoved.With("status", 302), "40 minutes", 1},
		{fact.NoFiscalProfile.Fact(), "41 minutes", 2},
		{fact.CityServerMoved.With("status", 404), "61 minutes", 3},
	} {
		n.Exec(t, `UPDATE notes SET status = 'processing', processing_at = now(), held_reason = $2,
			held_since = date_trunc('hour', now() - interval '2 hours') + $3::interval WHERE id = $1`,
			id, again.reason, again.after)
		must(t, n.Store.Operate.Alert(t.Context(), false))
		if got := n.alerted(t, "held"); got != again.told {
			t.Errorf("held after %s for %s, %d alerts are told, expected %d", again.after, again.reason.Code, got,
				again.told)
		}
	}
}
