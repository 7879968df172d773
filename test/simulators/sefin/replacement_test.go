package sefin_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/server"
)

// replacing adds the group subst.
func replacing(key, reason string) change {
	return inside("cLocEmi", "<subst><chSubstda>"+key+"</chSubstda>"+reason+"</subst>")
}

const (
	otherReason = "<cMotivo>99</cMotivo><xMotivo>Descricao do servico corrigida</xMotivo>"
	leftSimples = "<cMotivo>01</cMotivo>"
)

func TestReplacement(t *testing.T) {
	simulator, c := startWithIssuer(t)
	old := c.issued(c.dps(1))
	answer := c.issue(c.dps(2, replacing(old, otherReason), change{"Suporte", "Apoio"}))
	if answer.status != http.StatusCreated {
		t.Fatalf("%d %s", answer.status, answer.text)
	}
	replacement := answer.body["chaveAcesso"].(string)

	t.Run("Ledger", func(t *testing.T) {
		notes := simulator.Ledger()
		if !notes[0].Cancelled || !slices.Equal(notes[0].Events, []string{"105102"}) ||
			notes[0].ReplacedBy != replacement || notes[0].Replaces != "" {
			t.Errorf("the replaced note: %+v", notes[0])
		}
		if notes[1].Cancelled || notes[1].Replaces != old || notes[1].ReplacedBy != "" {
			t.Errorf("its replacement: %+v", notes[1])
		}
	})
	t.Run("Event", func(t *testing.T) {
		event := string(simulator.Events(old)[0])
		for _, part := range []string{
			"<e105102><xDesc>Cancelamento de NFS-e por Substituição</xDesc>" + otherReason +
				"<chSubstituta>" + replacement + "</chSubstituta></e105102>",
			"<CNPJAutor>" + issuer + "</CNPJAutor>", "<ambGer>2</ambGer>",
		} {
			if !strings.Contains(event, part) {
				t.Errorf("the event has not %s\n%s", part, event)
			}
		}
		if err := validate(t, "evento_v1.01.xsd", event); err != nil {
			t.Errorf("the event is not valid: %v", err)
		}
		if err := verify(t, simulator, event, "infEvento"); err != nil {
			t.Errorf("its signature does not verify: %v", err)
		}
	})
	t.Run("Queried", func(t *testing.T) {
		if found := c.get("/nfse/" + old + "/eventos/105102/1"); found.status != http.StatusOK {
			t.Errorf("the event: %d %s", found.status, found.text)
		}
		if found := c.get("/nfse/" + replacement + "/eventos/105102/1"); found.status != http.StatusNotFound {
			t.Errorf("an event of the replacement: %d", found.status)
		}
	})
	t.Run("Distributed", func(t *testing.T) {
		lot := c.must("GET", simulator.ADNURL()+"/contribuintes/DFe/0", nil)
		var kinds []string
		for _, entry := range lot.body["LoteDFe"].([]any) {
			kind, _ := entry.(map[string]any)["TipoEvento"].(string)
			kinds = append(kinds, kind)
		}
		if !slices.Equal(kinds, []string{"", "", "CANCELAMENTO_POR_SUBSTITUICAO"}) {
			t.Errorf("the ADN has %v", kinds)
		}
	})
	t.Run("NotAgain", func(t *testing.T) {
		if again := c.issue(c.dps(3, replacing(old, otherReason))); again.codes() != "E0046" {
			t.Errorf("%s", again.text)
		}
		if cancelled := c.cancel(old, c.eventRequest(old, "101101")); cancelled.codes() != "E0840" {
			t.Errorf("%s", cancelled.text)
		}
		answer := c.cancel(replacement, c.eventRequest(replacement, "101101"))
		if answer.status != http.StatusCreated {
			t.Errorf("the replacement cannot be cancelled: %s", answer.text)
		}
		if !simulator.Ledger()[0].Cancelled {
			t.Error("the replaced note came back")
		}
	})
}

// Nobody asks for the event of a replacement: the system makes it.
func TestReplacement_IsNotAnEventToAskFor(t *testing.T) {
	simulator, c := startWithIssuer(t)
	key := c.issued(c.dps(1))
	request := c.eventRequest(key, "101101",
		change{"<e101101>", "<e105102>"},
		change{"</e101101>", "<chSubstituta>" + otherNoteKey + "</chSubstituta></e105102>"},
		change{"Cancelamento de NFS-e", "Cancelamento de NFS-e por Substituição"}, change{"<cMotivo>1", "<cMotivo>99"},
		change{key + `101101"`, key + `105102"`})
	if answer := c.cancel(key, request); answer.codes() != "E1861" {
		t.Errorf("%d %s", answer.status, answer.text)
	}
	if simulator.Ledger()[0].Cancelled {
		t.Error("the note is cancelled")
	}
}

// A refused replacement leaves the note that it would have replaced as it was, and makes none.
func TestReplacementRules(t *testing.T) {
	now := new(clock)
	simulator := start(t, sefin.Options{Options: server.Options{Clock: now.Now}})
	c := newClient(t, simulator, sefin.Subject{TaxID: issuer})
	number := 0
	issue := func(changes ...change) string { number++; return c.issued(c.dps(number, changes...)) }
	meant := issue()
	withEvent := func(kinds ...string) string {
		key := issue()
		for _, kind := range kinds {
			if err := simulator.RegisterEventWith(key, kind, sefin.EventDetails{Bars: barred(kind)}); err != nil {
				t.Fatal(err)
			}
		}
		return key
	}
	noTaker := issue(change{"<CNPJ>" + taker + "</CNPJ>", "<cNaoNIF>1</cNaoNIF>"})
	bySimples, correctable := issue(microOrSmall, simplified), issue(microOrSmall, simplified)
	withoutOne := issue(microOrSmall, simplified, change{"<CNPJ>" + taker + "</CNPJ>", "<cNaoNIF>1</cNaoNIF>"})
	old := []string{issue(), issue(), issue()}
	ofCity := meant[:7] + "1" + meant[8:49]
	ofCity += checkDigit(ofCity)
	ofAnother := meant[:9] + taker + meant[23:49]
	ofAnother += checkDigit(ofAnother)
	unknown := meant[:40] + "000000000"
	unknown += checkDigit(unknown)
	wrong := meant[:49] + string('0'+(meant[49]-'0'+1)%10)
	collected := withEvent()

	now.Advance(40 * 24 * time.Hour)
	deadline := rio(sefin.Agreement{ReplaceDays: 30})
	for name, test := range map[string]struct {
		key, reason string
		changes     []change
		registry    *sefin.Registry
		codes       string
	}{
		"a key that is none":    {key: wrong, codes: "E0042"},
		"another issuer's note": {key: ofAnother, codes: "E0042"},
		"a note of a city":      {key: ofCity, codes: "E0065"},
		"no such note":          {key: unknown, codes: "E0044"},
		"a cancelled note":      {key: withEvent("305101"), codes: "E0046"},
		"other without a text":  {key: meant, reason: "<cMotivo>99</cMotivo>", codes: "E0078"},
		"too late":              {key: meant, registry: deadline, codes: "E0050"},
		"without a taker": {
			key: noTaker, registry: rio(sefin.Agreement{ReplaceNeedsTaker: true}), codes: "E0056",
		},
		"another taker": {
			key: meant, changes: []change{{taker, "11222333000262"}},
			registry: rio(sefin.Agreement{ReplaceSameParties: true}), codes: "E0058",
		},
		"another intermediary": {
			key: meant, changes: []change{broker(platform)},
			registry: rio(sefin.Agreement{ReplaceSameParties: true}), codes: "E0058",
		},
		"another competence": {
			key: meant, changes: []change{{"<dCompet>2026-11-21", "<dCompet>2026-11-20"}}, codes: "E0060",
		},
		"another service": {key: meant, changes: []change{service("010101")}, codes: "E0060"},
		"another municipal code": {
			key: meant, changes: []change{inside("cTribNac", "<cTribMun>001</cTribMun>")}, codes: "E0060",
		},
		"another place": {key: meant, changes: []change{performedInCampinas}, codes: "E0060"},
		"another price in Simples": {
			key: bySimples, changes: []change{microOrSmall, simplified, price("1400.00")}, codes: "E0061",
		},
		"another taker in Simples": {
			key: bySimples, changes: []change{microOrSmall, simplified, {taker, "11222333000262"}}, codes: "E0061",
		},
		"another competence in Simples": {
			key: bySimples, changes: []change{microOrSmall, simplified, {"<dCompet>2026-11-21", "<dCompet>2026-11-20"}},
			codes: "E0061",
		},
		"while it is analysed": {key: withEvent("101103"), codes: "E0068"},
		"after a denial":       {key: withEvent("101103", "105105"), codes: "E0845"},
		"confirmed":            {key: withEvent("203202"), codes: "E0070"},
		"tacitly confirmed":    {key: withEvent("205204"), codes: "E0072"},
		"its tax was collected": {
			key: collected, registry: &sefin.Registry{Collected: []string{collected}}, codes: "E0074",
		},
		"blocked": {key: withEvent("305102"), codes: "E0076"},

		// What is near to each and passes.
		"after 40 days, by the way":    {key: old[0]},
		"too late, but out of Simples": {key: old[1], reason: leftSimples, registry: deadline},
		"a rejected note":              {key: withEvent("203206")},
		"unblocked":                    {key: withEvent("305102", "305103")},
		"another price":                {key: withEvent(), changes: []change{price("1400.00")}},
		"another taker, where it may":  {key: withEvent(), changes: []change{{taker, "11222333000262"}}},
		"another service in Simples": {
			key: correctable, changes: []change{microOrSmall, simplified, service("010101")},
		},
		"a taker where there was none": {key: withoutOne, changes: []change{microOrSmall, simplified}},
		"in a city that wants all of it": {
			key:      old[2],
			registry: rio(sefin.Agreement{ReplaceDays: 41, ReplaceNeedsTaker: true, ReplaceSameParties: true}),
		},
	} {
		t.Run(name, func(t *testing.T) {
			registry := sefin.Registry{}
			if test.registry != nil {
				registry = *test.registry
			}
			simulator.SetRegistry(registry)
			before := len(simulator.Ledger())
			number++
			reason := test.reason
			if reason == "" {
				reason = otherReason
			}
			answer := c.issue(c.dps(number, changes(test.changes, replacing(test.key, reason))...))
			if answer.codes() != test.codes {
				t.Errorf("%q, want %q: %s", answer.codes(), test.codes, answer.text)
			}
			if issued := len(simulator.Ledger()) > before; issued != (test.codes == "") {
				t.Errorf("a note was made: %t", issued)
			}
			for _, note := range simulator.Ledger() {
				if note.AccessKey == test.key && (note.ReplacedBy != "") != (test.codes == "") {
					t.Errorf("the note: %+v", note)
				}
			}
		})
	}
}

// barred is what a block by hand bars.
func barred(kind string) string {
	if kind == "305102" {
		return "e105102"
	}
	return ""
}

// A replacement is kept with the event that it makes, in one record: a simulator that starts
// again has both.
func TestReplacement_IsKept(t *testing.T) {
	dir := t.TempDir()
	options := sefin.Options{Options: server.Options{Dir: dir, Clock: new(clock).Now}}
	first, err := sefin.Start(options)
	if err != nil {
		t.Fatal(err)
	}
	c := newClient(t, first, sefin.Subject{TaxID: issuer})
	old := c.issued(c.dps(1))
	c.issued(c.dps(2, replacing(old, otherReason)))
	before := first.Ledger()
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if after := start(t, options).Ledger(); !slices.EqualFunc(before, after, func(a, b sefin.Entry) bool {
		return a.AccessKey == b.AccessKey && a.Cancelled == b.Cancelled && a.Replaces == b.Replaces &&
			a.ReplacedBy == b.ReplacedBy && slices.Equal(a.Events, b.Events)
	}) {
		t.Errorf("%+v\n%+v", before, after)
	}
}

// Of all who replace or cancel a note at once, one does.
func TestReplacement_AtOnce(t *testing.T) {
	simulator, c := startWithIssuer(t)
	old := c.issued(c.dps(1))
	documents := make([]string, 8)
	for i := range documents {
		documents[i] = c.dps(i+2, replacing(old, otherReason))
	}
	cancellation := c.eventRequest(old, "101101")
	answers := make([]reply, len(documents)+1)
	var group sync.WaitGroup
	for i, document := range documents {
		group.Go(func() { answers[i], _ = c.post(document) })
	}
	group.Go(func() { answers[len(documents)] = c.cancel(old, cancellation) })
	group.Wait()
	done := 0
	for _, answer := range answers {
		switch {
		case answer.status == http.StatusCreated:
			done++
		case answer.codes() != "E0046" && answer.codes() != "E0840":
			t.Errorf("%d %s", answer.status, answer.text)
		}
	}
	notes := simulator.Ledger()
	if done != 1 || len(notes[0].Events) != 1 || len(notes) > 2 || (len(notes) == 2) != (notes[0].ReplacedBy != "") {
		t.Errorf("%d were done: %+v", done, notes)
	}
}
