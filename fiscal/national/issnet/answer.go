package issnet

import (
	"emissor/fiscal/national/issnet/rules"
	"emissor/fiscal/national/soap"
)

// meaning is what the codes of the servers mean.
var meaning = soap.Meaning{Catalogue: rules.Catalogue, Handling: rules.Handling, IsFailure: rules.IsFailure,
	Cancelled: rules.NoteCancelled}

// The lists of refusals.
const (
	refusalsOfOne = "ListaMensagemRetorno"
	refusalsOfLot = "ListaMensagemRetornoLote"
)

// readAnswer reads an answer by local names, of the schema of 2026-10 or of 2026-02 (Nfse, Evento).
func readAnswer(answer soap.Node) *soap.Answer {
	read := &soap.Answer{Root: answer, Events: eventsOf(answer)}
	for _, list := range append(answer.All("ListaNfse"), answer) {
		for _, one := range list.All("CompNfse") {
			read.Notes = append(read.Notes, soap.Note{Documents: one.All("NFSe", "Nfse"), Events: eventsOf(one)})
		}
	}
	for _, list := range append(answer.All(refusalsOfOne, refusalsOfLot), answer) {
		for _, one := range list.All("MensagemRetorno") {
			if said := soap.ReadMessage(one, rules.CodeOf); !rules.IsAlert(said.Code) {
				read.Refusals = append(read.Refusals, said)
			}
		}
	}
	return read
}

func eventsOf(parent soap.Node) []soap.Node {
	events := parent.All("evento", "Evento")
	for _, list := range parent.All("ListaEvento") {
		events = append(events, list.All("evento", "Evento")...)
	}
	return events
}
