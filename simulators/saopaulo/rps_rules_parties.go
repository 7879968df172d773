package saopaulo

import (
	"strings"

	"emissor/simulators/shared/checkdigit"
)

func (r *review) checkTaker() {
	const taker = "tomador"
	cnpj, cpf := r.get("CPFCNPJTomador/CNPJ"), r.get("CPFCNPJTomador/CPF")
	r.rejectIf(cnpj != "" && !checkdigit.CNPJ(cnpj), 302)
	r.warnIf(cpf != "" && !checkdigit.CPF(cpf), 337)
	r.warnIf(cnpj != "" && cnpj == r.call.message.sender(), 301)
	r.rejectIf(!plausibleEmail(r.get("EmailTomador")), 261, taker)

	city, state := r.get("EnderecoTomador/Cidade"), r.get("EnderecoTomador/UF")
	abroad := r.has("EnderecoTomador/EnderecoExterior")
	r.rejectIf(cnpj != "" && r.get("EnderecoTomador/Logradouro") == "", 317)
	r.rejectIf(cnpj != "" && (city == "" || state == ""), 318)
	r.rejectIf(abroad && city != "", 247, taker)
	r.rejectIf(r.has("CPFCNPJTomador/NIF") && !abroad && city == "", 285, taker)
	r.rejectIf(r.get("EnderecoTomador/EnderecoExterior/cPais") == "BR", 256, taker, taker, taker)
	if city == "" {
		return
	}
	exists := checkdigit.Municipality(city)
	r.rejectIf(!exists, 246, taker)
	r.warnIf(exists && state != "" && checkdigit.States[city[:2]] != state, 214, city, state)
	r.rejectIf(r.has("InscricaoMunicipalTomador") && city != saoPaulo, 219, r.get("InscricaoMunicipalTomador"))
}

func plausibleEmail(address string) bool {
	name, domain, found := strings.Cut(address, "@")
	return address == "" || found && name != "" && strings.Contains(domain, ".") && !strings.Contains(address, " ")
}

func (r *review) checkPlace() {
	place, country := r.get("cLocPrestacao"), r.get("cPaisPrestacao")
	r.rejectIf(place != "" && !checkdigit.Municipality(place), 265)
	r.rejectIf(country == "BR", 267)
	if r.has("atvEvento") {
		r.rejectIf(r.get("atvEvento/dtFimEvt") < r.get("atvEvento/dtIniEvt"), 627)
	}
	r.rejectIf(r.get("IBSCBS/cIndOp") == eventOperation && !r.has("atvEvento"), 637)
}

// eventOperation is the cIndOp of what happens where an event takes place.
const eventOperation = "040101"
