package danfse

import (
	"strings"

	"emissor/internal/municipality"
)

// party is a person that a note names, as the page shows it.
type party struct {
	inscription, registration, phone, name, place, codes, address, email string
}

// provider returns who rendered the service. Where the provider issued the note
// the DPS leaves out what the authority knows and writes into the NFS-e.
func provider(n note) party {
	p := n.party(dps + "prest/")
	if n.get(dps+"tpEmit") != "1" {
		return p
	}
	known := n.party(inf + "emit/")
	fill := func(text *string, other string) {
		if *text == "" {
			*text = other
		}
	}
	fill(&p.inscription, known.inscription)
	fill(&p.registration, known.registration)
	fill(&p.phone, known.phone)
	fill(&p.name, known.name)
	fill(&p.email, known.email)
	if p.address == "" {
		p.place, p.codes, p.address = known.place, known.codes, known.address
	}
	return p
}

func taker(n note) party        { return n.party(dps + "toma/") }
func receiver(n note) party     { return n.party(request + "dest/") }
func intermediary(n note) party { return n.party(dps + "interm/") }

// party reads the person of a group.
func (n note) party(group string) party {
	p := party{
		inscription:  n.first(group + "NIF"),
		registration: n.get(group + "IM"),
		phone:        maskPhone(n.get(group + "fone")),
		name:         n.get(group + "xNome"),
		email:        n.get(group + "email"),
	}
	if cnpj, cpf := n.get(group+"CNPJ"), n.get(group+"CPF"); cnpj != "" {
		p.inscription = maskCNPJ(cnpj)
	} else if cpf != "" {
		p.inscription = maskCPF(cpf)
	} else if p.inscription == "" {
		p.inscription = withoutNIF.of(n.get(group + "cNaoNIF"))
	}
	address := group + "end/"
	inBrazil := address + "endNac/"
	if n.has(group + "enderNac") { // the authority's own group of the issuer
		address = group + "enderNac/"
		inBrazil = address
	}
	p.address = joined(", ", n.get(address+"xLgr"), n.get(address+"nro"), n.get(address+"xCpl"),
		n.get(address+"xBairro"))
	if code := n.get(inBrazil + "cMun"); code != "" {
		p.place = joined(" / ", municipalityName(code), state(code))
		p.codes = joined(" / ", code, maskCEP(n.get(inBrazil+"CEP")))
	} else {
		p.place = n.get(address + "endExt/xCidade")
		p.codes = n.get(address + "endExt/cEndPost")
	}
	return p
}

// municipalityName returns the name of a municipality; of an unknown one its code.
func municipalityName(code string) string {
	if m, known := municipality.Find(code); known {
		return m.Name
	}
	return code
}

// state returns the two letters of a municipality's state, or "".
func state(code string) string {
	m, _ := municipality.Find(code)
	return m.State
}

// joined joins the texts that are not empty.
func joined(separator string, texts ...string) string {
	var filled []string
	for _, text := range texts {
		if text != "" {
			filled = append(filled, text)
		}
	}
	return strings.Join(filled, separator)
}
