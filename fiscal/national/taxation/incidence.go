package taxation

import "emissor/fiscal"

// AtSea is the place of a service rendered at sea (Águas Marítimas).
const AtSea = "0000000"

// dueAtPlace are the subitems of the list of LC 116 whose ISS is due where the
// service is rendered, by item: those of rule E1317, by which notes are validated.
//
// The table that the rule names (MUN.INCID_INFO.SERV. of the same edition, 1.01)
// disagrees with it: it has 14.14 (towing and cranes) and 20.01 to 20.03 (ports,
// airports, stations) here as well, as the law has, and 11.03 (escorts) not.
var dueAtPlace = codeSet(`
	0304 0305
	0702 0704 0705 0709 0710 0711 0712 0716 0717 0718 0719
	1101 1102 1103 1104
	1201 1202 1203 1204 1205 1206 1207 1208 1209 1210 1211 1212 1214 1215 1216 1217
	1601 1602
	1710
	2201
`)

// DueToCustomersCity reports whether the ISS of a service is due to the
// customer's municipality (E1321).
func DueToCustomersCity(code string) bool { return code == "170501" }

// Incidence returns the municipality that the ISS of a declaration is due to
// (cLocIncid): where the issuer is established (E1325), unless the law names the
// place of the service (E1317) or the customer's municipality (E1321, E0234).
// What is rendered at sea is due to the issuer's (E1313). The place of the service counts for
// that of a customer abroad; where that is abroad too, the issuer's is asked.
func Incidence(declaration fiscal.Declaration) string {
	home, place := declaration.Issuer.MunicipalityCode, PlaceOf(declaration).Municipality
	if place == AtSea || place == "" {
		place = home
	}
	switch DueOf(codeOf(declaration)) {
	case DueAtPlace:
		return place
	case DueAtTaker:
		if declaration.Details.ForeignTaker != nil {
			return place
		}
		return declaration.Note.Municipality.Code
	}
	return home
}
