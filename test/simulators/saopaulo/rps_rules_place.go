package saopaulo

import (
	"cmp"
	"slices"
	"strings"

	"emissor/test/simulators/shared/checkdigit"
)

// eventOperation is the cIndOp of what happens where an event takes place.
const eventOperation = "040101"

// checkPlace checks where the service is rendered, by itself and by what follows from
// the indicator of the operation.
func (r *review) checkPlace() {
	municipality, country := r.get("cLocPrestacao"), r.get("cPaisPrestacao")
	r.rejectIf(municipality != "" && !checkdigit.Municipality(municipality), 265)
	r.rejectIf(country == brazil, 267)
	operation := r.get("IBSCBS/cIndOp")
	supplied, exists := supplies()[operation]
	r.rejectIf(!exists, 630)
	var home string
	switch supplied {
	case atProvider:
		home = saoPaulo
	case atRecipient:
		var recipient string
		recipient, home = r.recipient()
		r.rejectIf(home == "", 629, recipient)
	}
	said := municipality + country
	r.rejectIf(isPlace(home) && isPlace(said) && said != home, 263)
	r.checkEvent(operation)
	r.checkProperty(supplied)
}

const brazil = "BR"

// isPlace reports whether a municipality or a country abroad can be meant.
func isPlace(code string) bool {
	return checkdigit.Municipality(code) || len(code) == 2 && code != brazil
}

// recipient is who receives the service, and the municipality or country where that one
// lives; empty when it is not said.
func (r *review) recipient() (name, home string) {
	if r.get("IBSCBS/indDest") == "1" {
		return "destinatário", r.get("IBSCBS/dest/end/endNac/cMun") + r.get("IBSCBS/dest/end/endExt/cPais")
	}
	return theTaker, cmp.Or(r.get("EnderecoTomador/Cidade"), r.get("EnderecoTomador/EnderecoExterior/cPais"))
}

func (r *review) checkEvent(operation string) {
	if !r.has("atvEvento") {
		r.rejectIf(operation == eventOperation, 637)
		return
	}
	r.rejectIf(r.get("atvEvento/dtFimEvt") < r.get("atvEvento/dtIniEvt"), 627)
}

// checkProperty checks the group of a property or of works: that it is there where the
// indicator is about one, and nowhere else, and that its numbers can exist.
func (r *review) checkProperty(supplied supplyPlace) {
	const group = "IBSCBS/imovelobra"
	if !r.has(group) {
		r.rejectIf(supplied == atProperty, 620)
		return
	}
	r.rejectIf(supplied != "" && supplied != atProperty, 621)
	property, works := r.get(group+"/cCIB"), r.get(group+"/cObra")
	r.rejectIf(strings.Trim(property+works, "0 ") == "" && !r.has(group+"/end"), 296)
	r.rejectIf(slices.Contains(r.call.registry.UnknownProperties, property), 270)
}
