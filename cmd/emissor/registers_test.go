package main

import (
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/store/catalogues"
)

func TestWorkCommand(t *testing.T) {
	t.Parallel()
	c := newClassified(t)
	s := c.settings
	work := func(command string, more ...string) []string {
		return append([]string{"work", command, "--organization", c.organization}, more...)
	}
	added := printed[catalogues.Registered[nfse.Work]](t, s, work("add", "--name", "Casa", "--registration",
		"90.001.23456/78", "--municipality", "3304557", "--technical-document", "ART 7")...)
	if added.Record.Registration != "900012345678" || added.Record.MunicipalityCode != "3304557" ||
		!nfse.IsID(nfse.PrefixWork, added.ID) {
		t.Errorf("added is %+v", added)
	}
	set := printed[catalogues.Registered[nfse.Work]](t, s, work("set", added.ID, "--registration", "", "--zip-code",
		"20040-002", "--street", "Rua A", "--number", "1", "--district", "Centro")...)
	if set.Record.Name != "Casa" || set.Record.Registration != "" || set.Record.Address.ZipCode != "20040002" {
		t.Errorf("set is %+v", set)
	}
	for why, flags := range map[string][]string{
		"--registration must be a CNO or CEI whose check digit": {"--registration", "900012345679"},
		"--registration must be given, or else one of what can": {"--cib", "1234567A"},
		"--municipality is not the IBGE code of a municipality": {"--municipality", "3304558"},
		"--district must have 1 to 60 characters":               {"--district", ""},
	} {
		misused(t, s, why, work("set", append([]string{added.ID}, flags...)...)...)
	}
	fails(t, s, "the organization has no live work wrk_1", work("close", "wrk_1")...)
	succeeds(t, s, work("close", added.ID)...)
	fails(t, s, "the work "+added.ID+" is closed", work("set", added.ID, "--name", "x")...)
	if open := succeeds(t, s, work("list")...); strings.Contains(open, added.ID) {
		t.Errorf("open are %s", open)
	}
	if all := printed[[]catalogues.Registered[nfse.Work]](t, s, work("list", "--all")...); len(all) != 1 ||
		all[0].ClosedAt == nil {
		t.Errorf("all are %+v", all)
	}
	event := []string{"cultural-event", "add", "--organization", c.organization, "--name", "Show", "--from",
		"2026-11-20", "--identification", "7", "--municipality", "3304557", "--through"}
	misused(t, s, "--through must not be before the first day", append(event, "2026-11-19")...)
	shown := printed[catalogues.Registered[nfse.CulturalEvent]](t, s, append(event, "2026-11-21")...)
	if shown.Record.Through != "2026-11-21" || !nfse.IsID(nfse.PrefixCulturalEvent, shown.ID) {
		t.Errorf("added is %+v", shown)
	}
}
