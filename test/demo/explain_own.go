package main

import (
	"fmt"
	"io"
)

// explainOwn prints where live notes go, and how to see that a lost answer makes no second note.
func (d *demo) explainOwn(out io.Writer, env environment, organization string) {
	fmt.Fprintf(out, `
The live key issues against a simulator of the server of %[1]s on this machine: what it signs has no fiscal value.
  live key      %[2]s
  city          %[3]s
  control       %[4]s
  ledger        %[4]s/ledger
  log           %[5]s
`, d.own.row().Municipality(), env[d.own.keyName()], d.own.url(), d.own.controlURL(), d.own.logPath)
	if d.own.row().Family == issnetFamily {
		d.explainISSNet(out, organization)
	} else {
		d.explainDSF(out)
	}
	fmt.Fprintf(out, `
The table of cities has this one alone, at the simulator:

  %[1]s city list
  %[1]s city status

"%[2]s --help" lists what else can go wrong.
`, d.emissor.program, d.own.program)
}

// explainDSF prints how to see what a lost answer does where a second sending may make a second note.
func (d *demo) explainDSF(out io.Writer) {
	fmt.Fprintf(out, `
Whether a declaration that comes twice makes a second note there nobody knows. Have the city make one, and lose the
answer: it is asked about, and not sent again.

  curl -sS "$EMISSOR_AUTHORITY_CONTROL_URL/cities" | sed 's/^\( *"name"\)/"second_note":true,\1/' |
    curl -sS -X PUT "$EMISSOR_AUTHORITY_CONTROL_URL/cities" -d @-
  curl -sS -X PUT "$EMISSOR_AUTHORITY_CONTROL_URL/faults" \
    -d '{"faults":[{"kind":"drop","scope":"issue","after":true,"next":1}]}'
  issue "$%[2]s" "$%[3]s"
  %[1]s note show nfse_...    # issue: unknown; then find: accepted
  curl -sS "$EMISSOR_AUTHORITY_CONTROL_URL/ledger" | grep -c '"second_of"'    # 0
`, d.emissor.program, d.own.keyName(), d.own.serviceName())
}

// explainISSNet prints that too for a city that refuses a second sending, that no program cancels there,
// and what the numbers do that the city grants.
func (d *demo) explainISSNet(out io.Writer, organization string) {
	fmt.Fprintf(out, `
A declaration that comes twice is refused there, by which code nobody knows. Have the city make a note and lose the
answer: it is asked about, and not sent again.

  curl -sS -X PUT "$EMISSOR_AUTHORITY_CONTROL_URL/faults" \
    -d '{"faults":[{"kind":"drop","scope":"issue","after":true,"next":1}]}'
  issue "$%[2]s" "$%[3]s"
  %[1]s note show nfse_...    # issue: unknown; then find: accepted

Cancelling is off: nobody has reported that the city takes it from a program. It is refused here at once, and the note
has why and what to do:

  curl -sS "$EMISSOR_URL/v1/nfse/nfse_.../cancel" -H "Authorization: Bearer $%[2]s" \
    -H 'Content-Type: application/json' -d '{"reason_code":"1","reason_text":"O valor estava errado"}'
  curl -sS "$EMISSOR_URL/v1/nfse/nfse_..." -H "Authorization: Bearer $%[2]s"    # refusal: cancellation_not_offered

The city has granted the company the numbers 1 to %[4]d of series %[5]d, and refuses any other. Say that it has granted
fewer, and a note waits for the next ones; say the truth again, and it is issued:

  %[1]s fiscal-profile set --organization %[6]s --granted-numbers 1-1
  issue "$%[2]s" "$%[3]s"
  %[1]s note held            # why; and: note show nfse_...
  %[1]s fiscal-profile set --organization %[6]s --granted-numbers 1-%[4]d
`, d.emissor.program, d.own.keyName(), d.own.serviceName(), d.own.company().granted, d.own.company().series,
		organization)
}
