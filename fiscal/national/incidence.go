package national

import (
	"emissor/fiscal"
)

// waters is the place of a service rendered at sea (Águas Marítimas).
const waters = "0000000"

// dueAtPlace are the subitems of the list of LC 116 whose ISS is due where the
// service is rendered, by item (LC 116, art. 3, as the authority reads it: table
// MUN.INCID_INFO.SERV., rule E1317).
var dueAtPlace = map[string]bool{
	"0304": true, "0305": true,
	"0702": true, "0704": true, "0705": true, "0709": true, "0710": true, "0711": true, "0712": true, "0716": true, "0717": true, "0718": true, "0719": true,
	"1101": true, "1102": true, "1103": true, "1104": true,
	"1201": true, "1202": true, "1203": true, "1204": true, "1205": true, "1206": true, "1207": true, "1208": true, "1209": true,
	"1210": true, "1211": true, "1212": true, "1214": true, "1215": true, "1216": true, "1217": true,
	"1601": true, "1602": true,
	"1710": true,
	"2201": true,
}

// incidence is the municipality that the ISS of a document is due to
// (cLocIncid): where the issuer is established (E1325), unless the law names
// the place of the service (E1317) or the taker's municipality (E1321, E0234).
// What is rendered at sea is due to the issuer's (E1313).
func incidence(document fiscal.Document) string {
	note, home := document.Note, document.Issuer.MunicipalityCode
	if note.Service.NationalTaxCode == nil {
		return home
	}
	code := *note.Service.NationalTaxCode
	switch {
	case dueWhereTakerIs(code):
		return note.Municipality.Code
	case len(code) == 6 && dueAtPlace[code[:4]] && note.Service.MunicipalityCode != waters:
		return note.Service.MunicipalityCode
	}
	return home
}
