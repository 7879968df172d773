package worker_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"emissor/activities"
	"emissor/fiscal/simulation"
	"emissor/internal/mail"
	"emissor/internal/metrics"
	"emissor/nfse"
	"emissor/nfse/fact"
	"emissor/store/lifecycle"
	"emissor/store/mails"
	"emissor/test/testkit"
	"emissor/workflows"
)

// post is what e-mails need of the system: a live organization, a mail server
// and a worker of the e-mails' own queue.
type post struct {
	*testkit.Database
	engine client.Client
	queues workflows.Queues
	box    *testkit.Mailbox
	emails *activities.Emails
	poison *testkit.Poison
	key    nfse.APIKey
}

// emailSlots is how many e-mails of one organization the worker of these tests sends at
// once, of one more in all.
const emailSlots = 3

// newPost starts a worker with the mail server, or with none.
func newPost(t *testing.T, configured bool) *post {
	t.Helper()
	logger := testkit.Logger(t)
	p := &post{
		Database: testkit.NewDatabase(t), engine: testkit.NewTemporal(t, logger), box: testkit.NewMailbox(t),
		queues: workflows.Queues{Prefix: "test-" + uuid.NewString()},
	}
	p.newOrganization(t, "Clínica São João")
	p.emails = &activities.Emails{Store: p.Store, DANFSe: true, Slots: activities.NewSlots(emailSlots), Logger: logger}
	if configured {
		var err error
		if p.emails.Sender, err = mail.New(mail.Options{Host: "127.0.0.1", Port: p.box.Port,
			From: "notas@emissor.example", TLS: mail.NoTLS}); err != nil {
			t.Fatal(err)
		}
	}
	p.poison = testkit.NewPoison(t)
	rows := &activities.RowGuard{Pauses: testkit.QuickPauses, Metrics: metrics.New(), Logger: logger,
		Loops: map[string]activities.Loop{workflows.ActivitySendEmail: {Name: activities.LoopEmails, ID: "email_id",
			Record: activities.DelayEmail(p.Store)}}}
	running := worker.New(p.engine, p.queues.Emails(), worker.Options{DisableRegistrationAliasing: true,
		MaxConcurrentActivityExecutionSize: emailSlots + 1,
		Interceptors:                       []interceptor.WorkerInterceptor{rows, p.poison}})
	running.RegisterWorkflowWithOptions(workflows.Email, workflow.RegisterOptions{Name: workflows.EmailType})
	running.RegisterActivityWithOptions(p.emails.SendEmail, activity.RegisterOptions{Name: workflows.ActivitySendEmail})
	if err := running.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(running.Stop)
	return p
}

// newOrganization makes the organization that issues from now on.
func (p *post) newOrganization(t *testing.T, name string) {
	t.Helper()
	organization, err := p.Changes().Access.CreateOrganization(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	p.key, err = p.Changes().Access.CreateAPIKey(t.Context(), nfse.APIKey{
		Scope: nfse.Scope{OrganizationID: organization.ID, Livemode: true}, Label: "test",
		Defaults: nfse.Defaults{EmailCustomer: true},
	}, nfse.NewAPIKeyText(true))
	if err != nil {
		t.Fatal(err)
	}
}

// issued is the e-mail of a live note that has just been issued.
func (p *post) issued(t *testing.T, reference string) (id string) {
	t.Helper()
	service, err := p.Store.Catalogues.CreateService(t.Context(), p.key.Scope, nfse.Service{
		Name: "Consulta", Description: "Consulta médica", MunicipalityCode: "3550308", DefaultAmountCents: 15000,
		Active: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	taker := nfse.InlineTaker{TaxID: "52998224725", Name: "Maria da Conceição",
		Address: nfse.Address{ZipCode: new("01310100")}}
	accepted, _, err := p.Store.Lifecycle.AcceptNote(t.Context(), lifecycle.NewNote{
		Issuance: nfse.Issuance{Reference: reference, ServiceID: service.ID, AmountCents: 123456, Customer: &taker},
		Key:      p.key, RequestID: nfse.NewID(nfse.PrefixRequest), Service: service.Snapshot(nil),
		Customer:     nfse.CustomerSnapshot{TaxID: taker.TaxID, Name: taker.Name, Address: taker.Address},
		Municipality: nfse.NoteMunicipality{Code: "3550308", Source: nfse.MunicipalityFromZipCode, Verified: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	p.Exec(t, `UPDATE customers SET email = 'maria@example.com' WHERE email IS NULL`)
	if _, err := p.Store.Lifecycle.BeginNote(t.Context(), accepted.ID); err != nil {
		t.Fatal(err)
	}
	note, _, err := p.Store.Lifecycle.NoteToSettle(t.Context(), accepted.ID)
	if err != nil {
		t.Fatal(err)
	}
	authority, xml, err := simulation.Issue(note, nfse.Timestamp{Time: time.Now()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Store.Lifecycle.SettleIssued(t.Context(), accepted.ID, authority, xml); err != nil {
		t.Fatal(err)
	}
	return p.Text(t, `SELECT id FROM emails WHERE note_id = $1`, accepted.ID)
}

// run starts the e-mail as the outbox does, in the place of a run that is open.
func (p *post) run(t *testing.T, id string) client.WorkflowRun {
	t.Helper()
	run, err := p.engine.ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{
		ID: id, TaskQueue: p.queues.Emails(),
		WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_TERMINATE_EXISTING,
	}, workflows.EmailType, workflows.EmailInput{EmailID: id})
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func (p *post) email(t *testing.T, id string) mails.Email {
	t.Helper()
	found, err := p.Store.Mails.Emails(t.Context(), mails.EmailFilter{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, email := range found {
		if email.ID == id {
			return email
		}
	}
	t.Fatalf("there is no e-mail %s", id)
	return mails.Email{}
}

// awaitProblem awaits a failed attempt that the engine is to repeat.
func (p *post) awaitProblem(t *testing.T, id string, problem fact.Code) (email mails.Email, wait time.Duration) {
	t.Helper()
	testkit.Eventually(t, "the e-mail waits because of "+string(problem), func() bool {
		email = p.email(t, id)
		return email.LastProblem.Is(problem)
	})
	testkit.Eventually(t, "the engine plans the next attempt", func() bool {
		described, err := p.engine.DescribeWorkflow(t.Context(), id, "")
		if err != nil {
			return false
		}
		activities := described.RawResponse.PendingActivities
		if len(activities) != 1 || activities[0].Attempt < 2 {
			return false
		}
		pending := activities[0]
		wait = pending.NextAttemptScheduleTime.AsTime().Sub(pending.LastAttemptCompleteTime.AsTime())
		return true
	})
	return email, wait
}

// expectNothingPersonal reads the whole history of the last run.
func (p *post) expectNothingPersonal(t *testing.T, id string) (events int) {
	t.Helper()
	history := testkit.EngineHistory(t, p.engine, id, "")
	for _, event := range history {
		for _, secret := range []string{"maria@", "Maria", "Conceição", "52998224725", "São João", "mailbox is full",
			"SIMULA", "notas@"} {
			if strings.Contains(event.String(), secret) {
				t.Errorf("the history holds %q: %s", secret, event)
			}
		}
	}
	return length(history)
}

func TestEmail_SentToCustomer(t *testing.T) {
	t.Parallel()
	p := newPost(t, true)
	id := p.issued(t, "sent")
	var result workflows.EmailResult
	if err := p.run(t, id).Get(t.Context(), &result); err != nil || result.Status != "sent" {
		t.Fatalf("%+v, %v", result, err)
	}
	received := p.box.Received()
	if len(received) != 1 || !strings.Contains(received[0], "<"+id+"@emissor.example>") ||
		!strings.Contains(received[0], "R$ 1.234,56") ||
		!strings.Contains(received[0], nfse.DayOf(time.Now()).Begin().Format("02/01/2006")) ||
		!strings.Contains(received[0], "maria@example.com") {
		t.Errorf("the customer got %q", received)
	}
	got := attachments(t, received[0])
	if !bytes.Contains(got.xml, []byte("<SimulatedNFSe")) || !strings.Contains(got.text, "DANFSe") ||
		!strings.Contains(got.text, "https://www.nfse.gov.br/ConsultaPublica/?tpc=1&chave=") ||
		strings.Contains(got.text+got.subject, "cancelada") {
		t.Errorf("the customer got %s\n%s\n%s", got.subject, got.text, got.xml)
	}
	if page := testkit.PDFText(t, got.pdf); !strings.Contains(page, "Maria da Conceição") ||
		strings.Contains(page, "C A N C E L A D A") {
		t.Errorf("the page says %s", page)
	}
	if email := p.email(t, id); email.Status != mails.EmailSent || email.Attempts != 1 {
		t.Errorf("the row is %+v", email)
	}
	if events := p.expectNothingPersonal(t, id); events > 11 {
		t.Errorf("%d history events, a delivery has 11", events)
	}
	// A second run finds nothing to do.
	if err := p.run(t, id).Get(t.Context(), &result); err != nil || result.Status != "sent" ||
		len(p.box.Received()) != 1 {
		t.Errorf("%+v, %v, %d messages", result, err, len(p.box.Received()))
	}
}

func TestEmail_TemporaryProblem(t *testing.T) {
	t.Parallel()
	p := newPost(t, true)
	p.box.Refuse(452, "the mailbox is full of <maria@example.com>")
	id := p.issued(t, "later")
	p.run(t, id)
	email, wait := p.awaitProblem(t, id, fact.MailStepFailed)
	if email.Status != mails.EmailPending || email.Attempts != 1 ||
		!strings.Contains(email.LastProblem.English(), "452") || strings.Contains(email.LastProblem.English(), "@") {
		t.Errorf("the row is %+v", email)
	}
	if wait < 54*time.Second || wait > 66*time.Second {
		t.Errorf("the engine waits %s", wait)
	}
	p.box.Refuse(0, "")
	var result workflows.EmailResult
	if err := p.run(t, id).Get(t.Context(), &result); err != nil || result.Status != "sent" {
		t.Errorf("%+v, %v", result, err)
	}
	p.expectNothingPersonal(t, id)
}

// What is given up is written down and fails the run; it stays given up until an
// operator puts it on its way again.
func TestEmail_Refused(t *testing.T) {
	t.Parallel()
	p := newPost(t, true)
	p.box.Refuse(550, "the mailbox is full of <maria@example.com>")
	id := p.issued(t, "refused")
	for range 2 {
		if err := p.run(t, id).Get(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "given up at once") {
			t.Errorf("the run ended with %v", err)
		}
		p.expectNothingPersonal(t, id)
	}
	email := p.email(t, id)
	if email.Status != mails.EmailFailed || email.Attempts != 1 ||
		!email.Reason.Equal(fact.EmailGivenUpAtOnce.With("why",
			fact.MailStepRefused.With("step", "recipient", "status", 550))) ||
		!strings.Contains(email.LastProblem.English(), "full") {
		t.Errorf("the row is %+v", email)
	}
	p.box.Refuse(0, "")
	if err := p.Changes().Mails.RetryEmail(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := p.run(t, id).Get(t.Context(), nil); err != nil || len(p.box.Received()) != 1 {
		t.Errorf("%v, %d messages", err, len(p.box.Received()))
	}
}

func TestEmail_WindowOver(t *testing.T) {
	t.Parallel()
	p := newPost(t, true)
	p.box.Refuse(452, "later")
	id := p.issued(t, "for days")
	failures := 1
	for more := true; more; failures++ {
		_, more = mail.Pause(failures)
	}
	p.Exec(t, `UPDATE emails SET attempts = $1`, failures-2) // the next one is the last
	if err := p.run(t, id).Get(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "given up after 72h") {
		t.Errorf("the run ended with %v", err)
	}
	if email := p.email(t, id); email.Status != mails.EmailFailed || email.Attempts != failures-1 {
		t.Errorf("the row is %+v", email)
	}
}

// What is no longer wanted is skipped, and the run ends well.
func TestEmail_NoLongerWanted(t *testing.T) {
	t.Parallel()
	p := newPost(t, true)
	for name, test := range map[string]struct {
		meanwhile func(noteID string)
		reason    fact.Code
	}{
		"no document": {func(noteID string) { p.Exec(t, `DELETE FROM note_documents WHERE note_id = $1`, noteID) },
			fact.EmailWithoutDocument},
		"no address": {func(string) { p.Exec(t, `UPDATE customers SET email = NULL`) },
			fact.EmailWithoutAddress},
	} {
		id := p.issued(t, name)
		test.meanwhile(p.email(t, id).NoteID)
		var result workflows.EmailResult
		if err := p.run(t, id).Get(t.Context(), &result); err != nil || result.Status != "skipped" {
			t.Errorf("%s: %+v, %v", name, result, err)
		}
		if email := p.email(t, id); email.Status != mails.EmailSkipped || !email.Reason.Is(test.reason) ||
			email.Attempts != 0 {
			t.Errorf("%s: the row is %+v", name, email)
		}
	}
	if received := p.box.Received(); len(received) != 0 {
		t.Errorf("sent were %q", received)
	}
}

// What was cancelled before its e-mail went out is said to be, in the words and
// across the page.
func TestEmail_CancelledBefore(t *testing.T) {
	t.Parallel()
	p := newPost(t, true)
	id := p.issued(t, "cancelled")
	noteID := p.email(t, id).NoteID
	request := lifecycle.NewCancellation{Key: p.key, RequestID: nfse.NewID(nfse.PrefixRequest), ReasonCode: "1",
		ReasonText: "Erro na emissão"}
	if _, _, err := p.Changes().Lifecycle.RequestCancellation(t.Context(), noteID, request); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Store.Lifecycle.AcceptCancellation(t.Context(), noteID, request.RequestID); err != nil {
		t.Fatal(err)
	}
	var result workflows.EmailResult
	if err := p.run(t, id).Get(t.Context(), &result); err != nil || result.Status != "sent" {
		t.Fatalf("%+v, %v", result, err)
	}
	got := attachments(t, p.box.Received()[0])
	if !strings.Contains(got.text, "A nota foi cancelada") || !strings.Contains(got.subject, "cancelada") {
		t.Errorf("the e-mail says %s\n%s", got.subject, got.text)
	}
	if page := testkit.PDFText(t, got.pdf); !strings.Contains(page, "C A N C E L A D A") {
		t.Errorf("the page says %s", page)
	}
	p.expectNothingPersonal(t, id)
}

// A note whose page cannot be drawn goes without it, and the log says so. So does every
// note where pages are not wanted.
func TestEmail_WithoutPage(t *testing.T) {
	t.Parallel()
	p := newPost(t, true)
	for name, test := range map[string]struct {
		off    bool
		xml    string
		warned bool
	}{
		"undrawable": {xml: "<NFSe>this is no NFS-e</NFSe>", warned: true}, "not wanted": {off: true},
	} {
		id := p.issued(t, name)
		if test.xml != "" {
			p.Exec(t, `UPDATE note_documents SET xml = convert_to($2, 'UTF8'), digest = NULL WHERE note_id = $1`,
				p.email(t, id).NoteID, test.xml)
		}
		var log bytes.Buffer
		emails := *p.emails
		emails.DANFSe, emails.Logger = !test.off, slog.New(slog.NewTextHandler(&log, nil))
		before := len(p.box.Received())
		var environment testsuite.WorkflowTestSuite
		activities := environment.NewTestActivityEnvironment()
		activities.RegisterActivity(emails.SendEmail)
		if _, err := activities.ExecuteActivity(emails.SendEmail, id); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := attachments(t, p.box.Received()[before])
		if got.pdf != nil || len(got.xml) == 0 || strings.Contains(got.text, "DANFSe") {
			t.Errorf("%s: %d bytes of a page, %d of XML: %s", name, len(got.pdf), len(got.xml), got.text)
		}
		if warned := strings.Contains(log.String(), "cannot be drawn"); warned != test.warned ||
			warned && !strings.Contains(log.String(), id) {
			t.Errorf("%s: the log says %s", name, &log)
		}
		if email := p.email(t, id); email.Status != mails.EmailSent {
			t.Errorf("%s: the row is %+v", name, email)
		}
	}
}

// Without a mail server an e-mail waits where operators see it, for as long as
// it takes: no attempt is used up.
func TestEmail_WithoutMailServer(t *testing.T) {
	t.Parallel()
	p := newPost(t, false)
	id := p.issued(t, "unconfigured")
	p.run(t, id)
	email, _ := p.awaitProblem(t, id, fact.EmailWithoutServer)
	if email.Status != mails.EmailPending || email.Attempts != 0 {
		t.Errorf("the row is %+v", email)
	}
	p.expectNothingPersonal(t, id)
}
