package sefin_test

import (
	"strings"
	"testing"
	"time"

	"emissor/test/reference"
	"emissor/test/simulators/sefin"
	"emissor/test/simulators/shared/server"
)

// The group that the authority computes, by the sums of the layout; valid by the
// official schema in all combinations.
func TestNFSe_IBSCBS(t *testing.T) {
	now := new(clock)
	simulator := start(t, sefin.Options{Options: server.Options{Clock: now.Now}})
	c := newClient(t, simulator, sefin.Subject{TaxID: issuer})
	now.Advance(60 * 24 * time.Hour) // to 2027-01-20
	in2027 := []change{{"<dhEmi>2026-11-21", "<dhEmi>2027-01-20"}, {"<dCompet>2026-11-21", "<dCompet>2027-01-20"}}
	performed := func(place string) change { return change{"<cLocPrestacao>3304557", "<cLocPrestacao>" + place} }
	number := 0
	const rio = "<cLocalidadeIncid>3304557</cLocalidadeIncid><xLocalidadeIncid>Município 3304557</xLocalidadeIncid>"
	for name, test := range map[string]struct {
		changes []change
		want    string // the group, or a part of it
	}{
		"full taxation": {
			changes: []change{group("000", "000001")},
			want: "<IBSCBS>" + rio + "<valores><vBC>1470.00</vBC>" + // without ISS of 2 %
				"<uf><pIBSUF>0.10</pIBSUF><pAliqEfetUF>0.10</pAliqEfetUF></uf>" +
				"<mun><pIBSMun>0.00</pIBSMun><pAliqEfetMun>0.00</pAliqEfetMun></mun>" +
				"<fed><pCBS>0.90</pCBS><pAliqEfetCBS>0.90</pAliqEfetCBS></fed></valores>" +
				"<totCIBS><vTotNF>1500.00</vTotNF><gIBS><vIBSTot>1.47</vIBSTot>" +
				"<gIBSUFTot><vIBSUF>1.47</vIBSUF></gIBSUFTot><gIBSMunTot><vIBSMun>0.00</vIBSMun></gIBSMunTot></gIBS>" +
				"<gCBS><vCBS>13.23</vCBS></gCBS></totCIBS></IBSCBS>",
		},
		"reduced": {
			changes: []change{group("200", "200025")}, // 60 % of IBS, 100 % of CBS
			want: "<uf><pIBSUF>0.10</pIBSUF><pRedAliqUF>60.00</pRedAliqUF><pAliqEfetUF>0.04</pAliqEfetUF></uf>" +
				"<mun><pIBSMun>0.00</pIBSMun><pRedAliqMun>60.00</pRedAliqMun><pAliqEfetMun>0.00</pAliqEfetMun></mun>" +
				"<fed><pCBS>0.90</pCBS><pRedAliqCBS>100.00</pRedAliqCBS><pAliqEfetCBS>0.00</pAliqEfetCBS></fed>" +
				"</valores><totCIBS><vTotNF>1500.00</vTotNF><gIBS><vIBSTot>0.59</vIBSTot>",
		},
		"withheld": {
			changes: []change{withheld, group("000", "000001")},
			want:    "<totCIBS><vTotNF>1470.00</vTotNF><gIBS><vIBSTot>1.47</vIBSTot>",
		},
		"Simples Nacional": {
			changes: []change{microOrSmall, simplified, group("000", "000001")}, // ISS is not computed
			want:    "<valores><vBC>1500.00</vBC>",
		},
		"MEI": {changes: []change{mei, group("000", "000001")}, want: "<valores><vBC>1500.00</vBC>"},
		"deferred": {
			changes: []change{group("515", "515001", inClassification(deferral))},
			want: "<gIBSUFTot><vDifUF>0.59</vDifUF><vIBSUF>0.59</vIBSUF></gIBSUFTot>" +
				"<gIBSMunTot><vDifMun>0.00</vDifMun><vIBSMun>0.00</vIBSMun></gIBSMunTot></gIBS>" +
				"<gCBS><vDifCBS>2.64</vDifCBS><vCBS>5.29</vCBS></gCBS></totCIBS>",
		},
		"suspended": {
			changes: []change{group("550", "550016", inClassification(regularTaxation))},
			want: "<gCBS><vCBS>0.00</vCBS></gCBS><gTribRegular>" +
				"<pAliqEfeRegIBSUF>0.10</pAliqEfeRegIBSUF><vTribRegIBSUF>1.47</vTribRegIBSUF>" +
				"<pAliqEfeRegIBSMun>0.00</pAliqEfeRegIBSMun><vTribRegIBSMun>0.00</vTribRegIBSMun>" +
				"<pAliqEfeRegCBS>0.90</pAliqEfeRegCBS><vTribRegCBS>13.23</vTribRegCBS></gTribRegular></totCIBS>",
		},
		"to a government": {
			changes: []change{group("000", "000001", afterOperation("<tpOper>1</tpOper><tpEnteGov>1</tpEnteGov>"))},
			want: "<gTribCompraGov><pIBSUF>0.10</pIBSUF><vIBSUF>1.47</vIBSUF>" +
				"<pIBSMun>0.00</pIBSMun><vIBSMun>0.00</vIBSMun><pCBS>0.90</pCBS><vCBS>13.23</vCBS>" +
				"</gTribCompraGov></totCIBS>",
		},
		"exempt": {
			changes: []change{group("400", "400001")},
			want: "<vBC>1470.00</vBC><uf><pIBSUF>0.00</pIBSUF><pAliqEfetUF>0.00</pAliqEfetUF></uf>" +
				"<mun><pIBSMun>0.00</pIBSMun><pAliqEfetMun>0.00</pAliqEfetMun></mun>" +
				"<fed><pCBS>0.00</pCBS><pAliqEfetCBS>0.00</pAliqEfetCBS></fed></valores>" +
				"<totCIBS><vTotNF>1500.00</vTotNF><gIBS><vIBSTot>0.00</vIBSTot>",
		},
		"from 2027, outside of the price": {
			changes: append(in2027, group("000", "000001")),
			want: "<totCIBS><vTotNF>1514.71</vTotNF><gIBS><vIBSTot>1.48</vIBSTot><gIBSUFTot><vIBSUF>0.74</vIBSUF>" +
				"</gIBSUFTot><gIBSMunTot><vIBSMun>0.74</vIBSMun></gIBSMunTot></gIBS><gCBS><vCBS>13.23</vCBS></gCBS>",
		},
		"performed elsewhere": {
			changes: []change{performed("3509502"), group("000", "000001", operation("050201"))},
			want: "<cLocalidadeIncid>3509502</cLocalidadeIncid>" +
				"<xLocalidadeIncid>Município 3509502</xLocalidadeIncid>",
		},
		"performed at sea": {
			changes: []change{performed("0000000"), group("000", "000001", operation("050201"))},
			want:    rio,
		},
		"for a recipient": {
			changes: []change{group("000", "000001", recipient(cpfTaker+"<xNome>D</xNome>"+
				strings.Replace(providerAddress, "3304557", "3509502", 1)))},
			want: "<cLocalidadeIncid>3509502</cLocalidadeIncid>",
		},
		"performed abroad": {
			changes: []change{inAmerica, trade(), group("000", "000001", operation("050104"))},
			want:    "<cLocalidadeIncid>9999999</cLocalidadeIncid><xLocalidadeIncid>Exterior</xLocalidadeIncid>",
		},
		"for a recipient abroad": {
			changes: changes(trading(), group("000", "000001", operation("100302"))),
			want:    "<cLocalidadeIncid>9999999</cLocalidadeIncid><xLocalidadeIncid>Exterior</xLocalidadeIncid>",
		},
	} {
		t.Run(name, func(t *testing.T) {
			number++
			nfse := string(simulator.NFSe(c.issued(c.dps(number, test.changes...))))
			if !strings.Contains(nfse, test.want) {
				t.Errorf("the NFS-e has not\n%s\n%s", test.want, nfse)
			}
			if err := validate(t, "NFSe_v1.01.xsd", nfse); err != nil {
				t.Errorf("the NFS-e is not valid: %v\n%s", err, nfse)
			}
			if err := verify(t, simulator, nfse, "infNFSe"); err != nil {
				t.Errorf("the signature does not verify: %v", err)
			}
		})
	}
	t.Run("OnlyWhenAsked", func(t *testing.T) {
		if nfse := string(simulator.NFSe(c.issued(c.dps(number + 1)))); strings.Contains(nfse, "IBSCBS") {
			t.Error("the NFS-e has the group without the DPS (E1517)")
		}
	})
}

// Every cClassTrib that an NFS-e may have issues one that is valid.
func TestNFSe_EveryClassification(t *testing.T) {
	simulator, c := startWithIssuer(t)
	number := 0
	for line := range strings.Lines(string(reference.ReadNational(t, "data/cclasstrib.tsv"))) {
		row := strings.Split(line, "\t")
		if row[5] != "1" {
			continue
		}
		var needed string
		if row[11] == "1" {
			needed += regularTaxation
		}
		if row[8] == "1" {
			needed += deferral
		}
		number++
		nfse := string(simulator.NFSe(c.issued(c.dps(number, group(row[0], row[2], inClassification(needed))))))
		if err := validate(t, "NFSe_v1.01.xsd", nfse); err != nil {
			t.Errorf("%s: the NFS-e is not valid: %v\n%s", row[2], err, nfse)
		}
	}
	if number != 73 {
		t.Errorf("%d classifications", number)
	}
}
