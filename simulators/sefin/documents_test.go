package sefin_test

import (
	"encoding/pem"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"emissor/simulators/sefin"
)

// shared is the reference material, beside the repository.
const shared = "../../../shared/national"

func sharedFile(t *testing.T, path string) string {
	t.Helper()
	found := filepath.Join(shared, path)
	if _, err := os.Stat(found); err != nil {
		t.Skipf("the reference material is not beside the repository: %v", err)
	}
	return found
}

func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	return path
}

// validate runs xmllint with a schema over a document.
func validate(t *testing.T, schema, document string) error {
	t.Helper()
	command := exec.CommandContext(t.Context(), tool(t, "xmllint"), "--noout", "--schema", sharedFile(t, "xsd-1.01/"+schema), "-")
	command.Stdin = strings.NewReader(document)
	output, err := command.CombinedOutput()
	if err != nil {
		t.Logf("%s", output)
	}
	return err
}

// verify runs xmlsec1 over the signature of the authority in a document.
func verify(t *testing.T, authority *sefin.Authority, document, element string) error {
	t.Helper()
	dir := t.TempDir()
	file, roots := filepath.Join(dir, "document.xml"), filepath.Join(dir, "roots.pem")
	if err := os.WriteFile(file, []byte(document), 0o600); err != nil {
		t.Fatal(err)
	}
	// xmlsec1 takes one root in a file: the last one is of those who sign.
	rest := authority.RootsPEM()
	var last *pem.Block
	for block, more := pem.Decode(rest); block != nil; block, more = pem.Decode(more) {
		last = block
	}
	if err := os.WriteFile(roots, pem.EncodeToMemory(last), 0o600); err != nil {
		t.Fatal(err)
	}
	output, err := exec.CommandContext(t.Context(), tool(t, "xmlsec1"), "--verify", "--trusted-pem", roots,
		"--node-xpath", "/*/*[local-name()='Signature']", "--id-attr:Id", "http://www.sped.fazenda.gov.br/nfse:"+element, file).CombinedOutput()
	if err != nil {
		t.Logf("%s", output)
	}
	return err
}

func TestDocumentsAreValidAndSigned(t *testing.T) {
	authority := start(t, sefin.Options{})
	c := newClient(t, authority, sefin.Subject{Document: issuer})
	documents := map[string]string{
		"usual": c.dps(1),
		"withheld": c.dps(2, change{"<tpRetISSQN>1<", "<tpRetISSQN>2<"},
			change{"</tribMun>", "</tribMun><tribFed><vRetCP>10.00</vRetCP><vRetIRRF>22.50</vRetIRRF></tribFed>"}),
		"Simples Nacional": c.dps(3, change{"<opSimpNac>1</opSimpNac>", "<opSimpNac>3</opSimpNac><regApTribSN>1</regApTribSN>"},
			change{"<pTotTrib><pTotTribFed>13.45</pTotTribFed><pTotTribEst>0.00</pTotTribEst><pTotTribMun>2.90</pTotTribMun></pTotTrib>", "<pTotTribSN>6.00</pTotTribSN>"}),
		"MEI":       c.dps(4, change{"<opSimpNac>1<", "<opSimpNac>2<"}),
		"discounts": c.dps(5, change{"</vServPrest>", "</vServPrest><vDescCondIncond><vDescIncond>100.00</vDescIncond><vDescCond>5.00</vDescCond></vDescCondIncond><vDedRed><pDR>10.00</pDR></vDedRed>"}),
	}
	for name, document := range documents {
		t.Run(name, func(t *testing.T) {
			key := c.issued(document)
			nfse := string(authority.NFSe(key))
			if err := validate(t, "NFSe_v1.01.xsd", nfse); err != nil {
				t.Errorf("the NFS-e is not valid: %v\n%s", err, nfse)
			}
			if err := verify(t, authority, nfse, "infNFSe"); err != nil {
				t.Errorf("the signature does not verify: %v", err)
			}
			changed := strings.Replace(nfse, "SEM VALOR FISCAL", "COM VALOR FISCAL", 1)
			if err := verify(t, authority, changed, "infNFSe"); err == nil {
				t.Error("the signature of a changed document verifies")
			}
		})
	}
}

func TestEventsAreValidAndSigned(t *testing.T) {
	authority := start(t, sefin.Options{})
	c := newClient(t, authority, sefin.Subject{Document: issuer})
	asked := map[string]string{}
	for number, kind := range []string{"101101", "101103"} {
		key := c.issued(c.dps(number + 1))
		answer := c.cancel(key, c.request(key, kind))
		asked[kind] = unpack(t, answer.body["eventoXmlGZipB64"])
	}
	for number, kind := range []string{"305101", "203202", "105104", "105105"} {
		key := c.issued(c.dps(number + 10))
		if strings.HasPrefix(kind, "1051") {
			c.cancel(key, c.request(key, "101103"))
		}
		if err := authority.RegisterEvent(key, kind); err != nil {
			t.Fatal(err)
		}
		events := authority.Events(key)
		asked[kind] = string(events[len(events)-1])
	}
	replaced := c.issued(c.dps(20))
	c.issued(c.dps(21, replacing(replaced)))
	asked["105102"] = string(authority.Events(replaced)[0])
	for kind, event := range asked {
		t.Run(kind, func(t *testing.T) {
			if err := validate(t, "evento_v1.01.xsd", event); err != nil {
				t.Errorf("the event is not valid: %v\n%s", err, event)
			}
			if err := verify(t, authority, event, "infEvento"); err != nil {
				t.Errorf("the signature does not verify: %v", err)
			}
		})
	}
}

// replacing puts the group subst into a DPS.
func replacing(key string) change {
	return change{"</cLocEmi>", "</cLocEmi><subst><chSubstda>" + key + "</chSubstda><cMotivo>05</cMotivo></subst>"}
}
