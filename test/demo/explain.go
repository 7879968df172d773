package main

import (
	"fmt"
	"io"
	"net/url"

	"emissor/nfse"
	"emissor/workflows"
)

// explain prints where everything is and what to try next.
func (d *demo) explain(out io.Writer, env environment, made organizations, n note, signIn string) {
	id := workflows.NoteID(nfse.Scope{OrganizationID: made.usual}, n.Reference)
	workflow := fmt.Sprintf("%s/namespaces/%s/workflows/%s", env[uiName], env[namespaceName], url.PathEscape(id))
	fmt.Fprintf(out, `
Emissor is up:
  dashboard     %[10]s
  sign in       %[9]s   (works once)
  API           %[1]s
  contract      %[1]s/llms-full.txt
  metrics       http://%[2]s/metrics
  Temporal UI   %[3]s
  sandbox note  %[11]s
                %[4]s

  test key      %[5]s
  log           %[6]s

Issue a note of your own:

  . %[7]s
  issue() { curl -sS "$EMISSOR_URL/v1/nfse" -H "Authorization: Bearer $1" -H 'Content-Type: application/json' \
    -d '{"reference":"hello-'"$(date +%%s)"'","service_id":"'"$2"'","amount_cents":15000,"customer":%[8]s}'; }
  issue "$EMISSOR_TEST_KEY" "$EMISSOR_SERVICE_ID"

Bring the events of test notes to a receiver of your own, and make one happen:

  .dev/bin/emissor listen --forward-to http://localhost:3000/hook
  .dev/bin/emissor trigger nfse.issued
`, env[urlName], d.emissor.adminListen, env[uiName], workflow, env[testKeyName], d.emissor.logPath,
		d.envPath(), customer, signIn, env[dashboardName], n.Reference)
	if d.national != nil {
		d.explainNational(out, env, made.usual)
	}
	if d.city != nil {
		d.explainCity(out, env)
	}
	if d.own != nil {
		d.explainOwn(out, env, made.own)
	}
	fmt.Fprintf(out, "\nState is kept in %s for the next run (\"make clean\" removes it). "+
		"Ctrl-C stops everything.\n", d.dir)
}

// explainWaiting prints what there is while the engine is built.
func (d *demo) explainWaiting(out io.Writer, env environment, signIn string) {
	fmt.Fprintf(out, `
The API and the dashboard answer%[1]s:
  dashboard     %[2]s
  sign in       %[3]s   (works once)
  API           %[4]s
  keys          %[5]s
The engine (Temporal) is still being built, for some minutes more%[6]s.
Notes are accepted meanwhile: they wait, and are issued when it is there. The first one:
`, sinceTheBeginning(), env[dashboardName], signIn, env[urlName], d.envPath(), uiSays(env))
}

// uiSays names the page of Temporal's that says so, too.
func uiSays(env environment) string {
	if env[uiName] == "" {
		return ""
	}
	return ", as " + env[uiName] + " says until then"
}

// explainNational prints where live notes go, and how to see the authority fail.
func (d *demo) explainNational(out io.Writer, env environment, organization string) {
	fmt.Fprintf(out, `
The live key issues against a simulator of the national authority on this machine: what it signs has no fiscal value.
  live key      %[7]s
  authority     %[1]s
  control       %[2]s
  ledger        %[2]s/ledger
  log           %[3]s

Make it issue a live note and lose the answer, and see how Emissor finds out:

  curl -sS -X PUT "$EMISSOR_AUTHORITY_CONTROL_URL/faults" \
    -d '{"faults":[{"kind":"drop","scope":"issue","after":true,"next":1}]}'
  issue "$EMISSOR_LIVE_KEY" "$EMISSOR_LIVE_SERVICE_ID"
  %[4]s note show nfse_...    # issue: unknown; then find: accepted. The ledger holds it once.
  %[4]s note danfse nfse_... -o note.pdf    # its printed form

Live notes say how their service is classified for IBS and CBS; which cities take whose notes the authority tells:

  %[4]s service list --organization %[6]s
  %[4]s municipality show 3304557 --environment restricted

Let the city cancel the last live note that was issued, at the authority, and see it cancelled here some seconds
later, with its event:

  curl -sS "$EMISSOR_AUTHORITY_CONTROL_URL/events" -d '{"type":"305101","access_key":"'"$(curl -sS \
    "$EMISSOR_AUTHORITY_CONTROL_URL/ledger" | grep -o '"access_key": *"[^"]*' | tail -n 1 | cut -d'"' -f4)"'"}'
  %[4]s events list           # and: note show nfse_...

"%[5]s --help" lists what else can go wrong.
`, d.national.url(), d.national.controlURL(), d.national.logPath, d.emissor.program, d.national.program,
		organization, env[liveKeyName])
}

// explainCity prints where live notes of São Paulo go, and how to see that none is cancelled by a second sending.
func (d *demo) explainCity(out io.Writer, env environment) {
	fmt.Fprintf(out, `
The key of %[1]s issues against a simulator of the city of São Paulo: no fiscal value either.
  live key      %[2]s
  city          %[3]s
  control       %[4]s
  ledger        %[4]s/ledger
  log           %[5]s

An RPS that is sent again cancels its note there. Make the city issue a note and lose the answer, and see that it is
not sent again, and nothing cancelled:

  curl -sS -X PUT "$EMISSOR_SAO_PAULO_CONTROL_URL/faults" \
    -d '{"faults":[{"kind":"drop","scope":"issue","after":true,"next":1}]}'
  issue "$EMISSOR_SAO_PAULO_LIVE_KEY" "$EMISSOR_SAO_PAULO_SERVICE_ID"
  %[6]s note show nfse_...    # issue: unknown; then find: accepted
  curl -sS "$EMISSOR_SAO_PAULO_CONTROL_URL/ledger" | grep -c '"cancelled_by"'    # 0

Without "after":true the request is lost: it is asked about twice, some seconds apart, and only then sent again.
"%[7]s --help" lists what else can go wrong.
`, cityOrganizationName, env[cityLiveKeyName], d.city.url(), d.city.controlURL(), d.city.logPath, d.emissor.program,
		d.city.program)
}

// explainWebhook prints where the events go, if somewhere.
func explainWebhook(out io.Writer, hook endpoint) {
	if hook.ID == "" {
		return
	}
	fmt.Fprintf(out, "\nEvents of test notes go to %s (endpoint %s).\n", hook.URL, hook.ID)
	if hook.Secret != "" {
		fmt.Fprintf(out, "The secret of their signatures, shown only now: %s\n", hook.Secret)
	}
}
