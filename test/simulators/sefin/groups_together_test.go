package sefin_test

import (
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"

	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/cents"
)

// A document in which several groups meet, in any mix, is issued, refused, or said not to be simulated. What is issued
// is valid, and its sums are those that its document makes.
func TestGroups_Together(t *testing.T) {
	simulator, c := startWithIssuer(t)
	cases := groupRules()
	names := slices.Sorted(maps.Keys(cases))
	random := rand.New(rand.NewPCG(1, 2))
	answered := map[int]int{}
	for number := 1; number <= 600; number++ {
		document := infDPS(t, number)
		registry := sefin.Registry{ISSRate: 500}
		for range 2 + random.IntN(3) {
			test := cases[names[random.IntN(len(names))]]
			for _, c := range test.keeps {
				document = strings.Replace(document, c.from, c.to, 1)
			}
			if test.registry != nil {
				registry = *test.registry
			}
		}
		simulator.SetRegistry(registry)
		answer := c.issue(c.wrap("DPS", document))
		answered[answer.status]++
		switch answer.status {
		case http.StatusBadRequest, http.StatusNotImplemented:
			continue
		case http.StatusCreated:
		default:
			t.Fatalf("%d %s\n%s", answer.status, answer.text, document)
		}
		nfse := string(simulator.NFSe(answer.body["chaveAcesso"].(string)))
		if err := validate(t, "NFSe_v1.01.xsd", nfse); err != nil {
			t.Errorf("the NFS-e is not valid: %v\n%s", err, nfse)
		}
		checkSums(t, nfse)
	}
	if answered[http.StatusCreated] < 50 {
		t.Errorf("answered: %v", answered)
	}
}

// checkSums compares the sums of an NFS-e with each other, and with its DPS.
func checkSums(t *testing.T, nfse string) {
	t.Helper()
	outside, inside, _ := strings.Cut(nfse, "<DPS ")
	values, _, _ := strings.Cut(outside, "</valores>")
	read := func(text, name string) int64 {
		_, rest, _ := strings.Cut(text, "<"+name+">")
		amount, _, _ := strings.Cut(rest, "</")
		return cents.Read(amount)
	}
	withheld := read(inside, "vRetCP") + read(inside, "vRetIRRF") + read(inside, "vRetCSLL")
	if !strings.Contains(inside, "<tpRetISSQN>1<") {
		withheld += read(values, "vISSQN")
	}
	liquid := read(inside, "vServ") - read(inside, "vDescIncond") - read(inside, "vDescCond") - withheld
	if got := read(values, "vLiq"); got != liquid || got < 0 {
		t.Errorf("vLiq is %d, not %d: %s", got, liquid, nfse)
	}
	if got := read(values, "vTotalRet"); got != withheld && strings.Contains(values, "<vBC>") {
		t.Errorf("vTotalRet is %d, not %d: %s", got, withheld, nfse)
	}
	if base := read(values, "vBC"); base > read(inside, "vServ") || base < 0 {
		t.Errorf("vBC is %d: %s", base, nfse)
	}
}
