package main

import (
	"fmt"
	"io"
	"net/url"
)

// explain prints where everything is and what to try next.
func (d *demo) explain(out io.Writer, env environment, organization string, n note) {
	workflow := fmt.Sprintf("%s/namespaces/%s/workflows/%s",
		env[uiName], env[namespaceName], url.PathEscape(organization+"/test/"+n.Reference))
	fmt.Fprintf(out, `
Emissor is up:
  API           %[1]s
  contract      %[1]s/llms-full.txt
  metrics       http://%[2]s/metrics
  Temporal UI   %[3]s
  sandbox note  %[4]s

  test key      %[5]s
  live key      %[6]s
  log           %[7]s

Issue a note of your own:

  . %[8]s
  issue() { curl -sS "$EMISSOR_URL/v1/nfse" -H "Authorization: Bearer $1" -H 'Content-Type: application/json' \
    -d '{"reference":"hello-'"$(date +%%s)"'","service_id":"'"$2"'","amount_cents":15000,"customer":%[9]s}'; }
  issue "$EMISSOR_TEST_KEY" "$EMISSOR_SERVICE_ID"
`, env[urlName], d.emissor.adminListen, env[uiName], workflow, env[testKeyName], env[liveKeyName], d.emissor.logPath,
		d.envPath(), customer)
	d.explainLive(out)
	fmt.Fprintf(out, "\nState is kept in %s for the next run (\"make clean\" removes it). "+
		"Ctrl-C stops everything.\n", d.dir)
}

// explainLive prints where live notes go, and how to see the authority fail.
func (d *demo) explainLive(out io.Writer) {
	fmt.Fprintf(out, `
The live key issues against a simulator of the national authority on this machine: what it signs has no fiscal value.
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

"%[5]s --help" lists what else can go wrong.
`, d.simulator.url(), d.simulator.controlURL(), d.simulator.logPath, d.emissor.program, d.simulator.program)
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
