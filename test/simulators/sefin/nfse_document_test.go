package sefin_test

import (
	"strings"
	"testing"
)

// What the simulator writes is valid by the official schema, and signed.
func TestWrittenDocuments(t *testing.T) {
	t.Run("NFSe", writtenNFSe)
	t.Run("Events", writtenEvents)
}

func writtenNFSe(t *testing.T) {
	simulator, c := startWithIssuer(t)
	documents := map[string]string{
		"usual":            c.dps(1),
		"withheld":         c.dps(2, withheld),
		"Simples Nacional": c.dps(3, microOrSmall, simplified),
		"MEI":              c.dps(4, mei),
		"IBS and CBS":      c.dps(5, consumption("100301", "<indDest>0</indDest>")),
	}
	for name, document := range documents {
		t.Run(name, func(t *testing.T) {
			key := c.issued(document)
			nfse := string(simulator.NFSe(key))
			if err := verify(t, simulator, nfse, "infNFSe"); err != nil {
				t.Errorf("the signature does not verify: %v", err)
			}
			changed := strings.Replace(nfse, "SEM VALOR FISCAL", "COM VALOR FISCAL", 1)
			if err := verify(t, simulator, changed, "infNFSe"); err == nil {
				t.Error("the signature of a changed document verifies")
			}
			if err := validate(t, "NFSe_v1.01.xsd", nfse); err != nil {
				t.Errorf("the NFS-e is not valid: %v\n%s", err, nfse)
			}
		})
	}
}

func writtenEvents(t *testing.T) {
	simulator, c := startWithIssuer(t)
	written := map[string]string{}
	for number, kind := range []string{"101101", "101103"} {
		key := c.issued(c.dps(number + 1))
		answer := c.cancel(key, c.eventRequest(key, kind))
		written[kind] = unpack(t, answer.body["eventoXmlGZipB64"])
	}
	for number, kind := range []string{
		"305101", "203202", "105102", "105104", "105105", "305102", "305103", "202201", "204203", "205204", "202205",
		"203206", "204207", "205208", "101101 by hand", "101103 by hand",
	} {
		key := c.issued(c.dps(number + 10))
		kind = kind[:6]
		if before := map[string]string{
			"105104": "101103", "105105": "101103", "305103": "305102", "205208": "203206",
		}[kind]; before != "" {
			if err := simulator.RegisterEvent(key, before); err != nil {
				t.Fatal(err)
			}
		}
		if err := simulator.RegisterEvent(key, kind); err != nil {
			t.Fatal(err)
		}
		events := simulator.Events(key)
		if written[kind] != "" {
			kind += " by hand"
		}
		written[kind] = string(events[len(events)-1])
	}
	for kind, event := range written {
		t.Run(kind, func(t *testing.T) {
			if err := verify(t, simulator, event, "infEvento"); err != nil {
				t.Errorf("the signature does not verify: %v", err)
			}
			if err := validate(t, "evento_v1.01.xsd", event); err != nil {
				t.Errorf("the event is not valid: %v\n%s", err, event)
			}
		})
	}
}
