package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"emissor/nfse"
)

// A row is compared with the bare workflows before and after it: of a rate, how many
// times theirs it is; of a time, how many of them are done meanwhile.
func TestReport_RatiosAreToTheNearestBareWorkflows(t *testing.T) {
	var r report
	r.addBare(engineReport{Ended: 400, Seconds: 10})
	r.add(result{name: "before the machine became slow", rate: 90})
	r.addBare(engineReport{Ended: 200, Seconds: 10})
	r.add(result{name: "after", time: 500 * time.Millisecond})
	r.addBare(engineReport{Ended: 200, Seconds: 10})
	var text strings.Builder
	r.markdown(&text)
	for _, line := range []string{
		"| **bare workflow, two activities** | 20.0 / s | 1.0 | 32 in flight; one after the other: 40.0, 20.0, 20.0 |",
		"| before the machine became slow | 90.0 / s | 3.00 |  |",
		"| after | 500 ms | 10.0 |  |",
		"differ by 100 % among themselves",
	} {
		if !strings.Contains(text.String(), line) {
			t.Errorf("%q is not in\n%s", line, &text)
		}
	}
}

// A backlog that drains evenly has equal quarters, whenever the first one ends.
func TestSpeeds_OfQuarters(t *testing.T) {
	began := time.Now()
	var ends []time.Time
	for n := range 100 { // ten a second
		ends = append(ends, began.Add(time.Duration(n+1)*100*time.Millisecond))
	}
	for i := range ends[75:] { // and then five
		ends[75+i] = ends[74].Add(time.Duration(i+1) * 200 * time.Millisecond)
	}
	d := speeds(began, ends)
	if d.first != 10 || d.last != 5 || d.rate != 8 {
		t.Errorf("%+v", d)
	}
}

func TestDurations_Percentiles(t *testing.T) {
	var d durations
	for n := range 101 {
		d.add(time.Duration(100-n) * time.Millisecond)
	}
	if d.at(50) != 50*time.Millisecond || d.at(99) != 99*time.Millisecond || d.at(100) != 100*time.Millisecond {
		t.Error(d.at(50), d.at(99), d.at(100))
	}
}

func TestCPF_IsValidAndAnotherForEach(t *testing.T) {
	seen := map[string]bool{}
	for n := range 1000 {
		document := cpf(n)
		if _, err := nfse.ParseTaxID(document); err != nil || seen[document] {
			t.Fatalf("%d: %s", n, document)
		}
		seen[document] = true
	}
}

func TestCNPJ_IsValid(t *testing.T) {
	if first := cnpj(1); first != "11222333000181" {
		t.Errorf("the first is %s", first)
	}
	for n := range 1000 {
		if _, err := nfse.ParseTaxID(cnpj(n + 1)); err != nil {
			t.Fatalf("%d: %s", n, cnpj(n+1))
		}
	}
}

func TestReadStat_OfThisProcess(t *testing.T) {
	for began := time.Now(); time.Since(began) < 50*time.Millisecond; {
		_ = cpf(1) // some work
	}
	stat, err := readStat(os.Getpid())
	if err != nil || stat.parent != os.Getppid() || stat.own <= 0 {
		t.Errorf("%+v %v", stat, err)
	}
}

// A figure of a comparison is the median of its pairs, with the least and the most; one that was not measured is
// empty.
func TestReport_Compared(t *testing.T) {
	r := report{compared: []comparison{{"live notes", map[string][]float64{
		figureRate: {1.5, 0.5, 1}, figureCPU: {1, 2},
	}}}}
	var text strings.Builder
	r.markdown(&text)
	if row := "| live notes | 1.00 (0.50–1.50) |  |  | 1.50 (1.00–2.00) |"; !strings.Contains(text.String(), row) {
		t.Errorf("%s\nhas no row %s", text.String(), row)
	}
}
