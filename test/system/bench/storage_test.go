package main

import (
	"strings"
	"testing"
)

// What a note leaves is what tables grew, and is compared with its aim.
func TestStorage_Table(t *testing.T) {
	begun := map[string]stored{"notes": {8192, 8192}, "outbox": {0, 8192}, "users": {8192, 8192}}
	ended := map[string]stored{"notes": {8192 + 100_000, 8192 + 50_000}, "outbox": {10_000, 8192}, "users": {8192, 8192}}
	kept := map[string]stored{"notes": {8192 + 100_000, 8192 + 50_000}, "outbox": {0, 8192}, "users": {8192, 8192}}
	var text strings.Builder
	writeStorage(&text, []storage{
		{name: "small note", notes: 100, most: 2000, ended: grown(begun, ended), kept: grown(begun, kept)},
		{name: "large note", notes: 100, most: 1000, rejected: 3, ended: grown(begun, ended), kept: grown(begun, kept)},
	})
	for _, line := range []string{
		"| notes | 1000 | 500 | 1000 | 500 |", "| outbox | 100 | 0 | 0 | 0 |", "| **all** | 1100 | 500 | 1000 | 500 |",
		"A small note: 1600 bytes at its end, 1500 for ever; at most 2000 for ever is the aim: kept.",
		"at most 1000 for ever is the aim: **missed**.", "Of its 200 notes 3 were not issued.",
	} {
		if !strings.Contains(text.String(), line) {
			t.Errorf("%q is not in\n%s", line, &text)
		}
	}
	if strings.Contains(text.String(), "users") {
		t.Errorf("what did not grow is in\n%s", &text)
	}
}

// The texts of the notes are those that a document can carry: what is rejected here leaves less.
func TestTakers_FitInADocument(t *testing.T) {
	takers := caller{service: "srv"}.newTakers()
	for range 200 {
		address := takers.newPerson()["address"].(map[string]any)
		if !fits(address["number"], 60) || !fits(address["district"], 60) {
			t.Fatal(address)
		}
		if amount := takers.newIssuance("cus")["amount_cents"].(int64); amount < 100 || amount > 1_000_100 {
			t.Fatal(amount)
		}
	}
}

// A live note with its webhook is compared with the empty workflow of the same run.
func TestCostAims(t *testing.T) {
	of := func(name string, histories, visibility, wal float64) cost {
		return cost{name: name, kilobytes: map[string]float64{emissorDatabase: wal},
			kept: map[string]float64{temporalDatabase: histories, visibilityDatabase: visibility}}
	}
	var text strings.Builder
	writeCostAims(&text, []cost{of(emptyWorkflow, 3, 40, 60), of(liveWithWebhook, 8, 43, 86)})
	for _, line := range []string{
		"| kB of histories | 5.0 | 6 | kept |", "| kB of visibility | 3.0 | 2 | **missed** |",
		"| kB of WAL | 26.0 | 25 | **missed** |",
	} {
		if !strings.Contains(text.String(), line) {
			t.Errorf("%q is not in\n%s", line, &text)
		}
	}
}
