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
  this note     %[4]s

  test key      %[5]s
  live key      %[6]s
  log           %[7]s

Issue a note of your own:

  . %[8]s
  curl -sS "$EMISSOR_URL/v1/nfse" -H "Authorization: Bearer $EMISSOR_TEST_KEY" -H 'Content-Type: application/json' \
    -d '{"reference":"hello-'"$(date +%%s)"'","service_id":"'"$EMISSOR_SERVICE_ID"'","amount_cents":15000,"customer":%[9]s}'

State is kept in %[10]s for the next run ("make clean" removes it). Ctrl-C stops everything.
`, env[urlName], d.emissor.adminListen, env[uiName], workflow, env[testKeyName], env[liveKeyName], d.emissor.logPath, d.envPath(), customer, d.dir)
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
