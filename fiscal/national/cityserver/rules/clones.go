package rules

import (
	"errors"
	"regexp"

	"emissor/fiscal/cities"
)

// SEFIN is the family of servers that speak as SEFIN Nacional does, on the hosts of cities.
const SEFIN cities.Family = "sefin"

var quirksOfSEFIN = map[cities.Quirk]cities.Meaning{
	// The paths of sending a DPS, asking about it, fetching a document and sending an event, as
	// recepcao,chave-acesso/{dps},nfse/{key},evento.
	cities.Paths:      {Check: isPaths, Means: "the operations are under other paths than those of the family"},
	cities.Cancelling: cities.CancellingBy("off", "e101101"),
}

var pathsForm = regexp.MustCompile(
	`^[\w/-]+,([\w-]+/)*\{dps\}(/[\w-]+)*,([\w-]+/)*\{key\}(/[\w-]+)*,[\w-]+(/([\w-]+|\{key\}))*$`)

func isPaths(value string) error {
	if !pathsForm.MatchString(value) {
		return errors.New("must be four paths as nfse,dps/{dps},nfse/{key},nfse/{key}/eventos")
	}
	return nil
}
