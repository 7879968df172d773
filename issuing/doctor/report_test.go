package doctor

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"emissor/nfse/fact"
)

func TestReport_Status(t *testing.T) {
	t.Parallel()
	of := func(results ...Result) (report Report) {
		for _, result := range results {
			report.Findings = append(report.Findings, Finding{Result: result})
		}
		return report
	}
	for _, c := range []struct {
		report Report
		status int
		worst  Result
	}{
		{of(), 0, OK}, {of(OK, Skipped), 0, OK}, {of(Warning, OK), 1, Warning}, {of(OK, Problem, Warning), 2, Problem},
	} {
		if status, worst := c.report.Status(), c.report.Worst(); status != c.status || worst != c.worst {
			t.Errorf("%+v ends with %d, %s", c.report, status, worst)
		}
	}
}

// What others say is shown without tax ids, in any form; numbers that are none stay.
func TestFinding_HidesTaxIDs(t *testing.T) {
	t.Parallel()
	for said, shown := range map[string]string{
		"CNPJ 11222333000181 refused":   "CNPJ … refused",
		"11.222.333/0001-81":            "…",
		"52998224725, 529.982.247-25.":  "…, ….",
		"id=11222333000181&x=1":         "id=…&x=1",
		"11222333000182 has wrong ones": "11222333000182 has wrong ones",
		"the number 12 of 2026-11-26":   "the number 12 of 2026-11-26",
	} {
		f := Finding{Seen: fact.InWords(said), Do: fact.InWords(said)}
		for _, text := range []func() (string, string){f.English, f.Portuguese} {
			if seen, do := text(); seen != "“"+shown+"”." || do != seen {
				t.Errorf("%q is shown as %s and %s", said, seen, do)
			}
		}
	}
}

// A check that fails, panics or does not end is a finding, and says nothing of what the panic held.
func TestDoctor_CheckEndsInAFinding(t *testing.T) {
	t.Parallel()
	d := New(Options{Patience: time.Millisecond})
	for seen, look := range map[string]func(context.Context) ([]Finding, error){
		"“no luck”": func(context.Context) ([]Finding, error) { return nil, errors.New("no luck") },
		"the program failed here": func(context.Context) ([]Finding, error) {
			panic("hush-4711")
		},
		"no answer in time": func(ctx context.Context) ([]Finding, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		},
	} {
		found := d.check(t.Context(), Mail, look)
		if len(found) != 1 || found[0].Result != Problem || found[0].Check != Mail ||
			!strings.Contains(found[0].Seen.English(), seen) || strings.Contains(found[0].Seen.English(), "hush") {
			t.Errorf("%s: %+v", seen, found)
		}
	}
}

// What a process does not have it says to be skipped, and where it is seen.
func TestDoctor_WithoutAnything(t *testing.T) {
	t.Parallel()
	report := New(Options{DatabaseError: errors.New("it is away")}).Examine(t.Context(), "")
	var results []string
	for _, one := range report.Findings {
		results = append(results, string(one.Check)+" "+string(one.Result))
	}
	expected := []string{"database problem", "engine skipped", "keyset problem", "mail skipped", "host skipped",
		"clock skipped", "organization skipped"}
	if !slices.Equal(results, expected) {
		t.Errorf("found is %q", results)
	}
}

// A few seconds are nothing, and half a minute is what authorities refuse.
func TestCompared(t *testing.T) {
	t.Parallel()
	for ahead, expected := range map[time.Duration]Result{
		0: OK, 5 * time.Second: OK, -5 * time.Second: OK, 6 * time.Second: Warning, -6 * time.Second: Warning,
		30 * time.Second: Warning, 31 * time.Second: Problem, -time.Hour: Problem,
	} {
		found := compared(called("national"), ahead)
		if found.Result != expected || (ahead < 0 && expected != OK) != found.Seen.Is(fact.DoctorClockBehind) {
			t.Errorf("%s is %s: %s", ahead, found.Result, found.Seen)
		}
	}
}

// Every check has a page of the documentation, and stands once in the order of a report.
func TestNames_HavePages(t *testing.T) {
	t.Parallel()
	for i, name := range Names {
		if pages[name] == "" || slices.Index(Names, name) != i {
			t.Errorf("%s has the page %q", name, pages[name])
		}
	}
	if len(pages) != len(Names) {
		t.Errorf("there are %d pages of %d checks", len(pages), len(Names))
	}
}
