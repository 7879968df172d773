package sefin

import (
	"slices"
	"time"
)

// toReplace is the note that a DPS replaces, unless a rule forbids it; nil when it replaces
// none. The lock is held.
func (s *Simulator) toReplace(d *dps, now time.Time) (*note, *rejection) {
	if !d.has("subst") {
		return nil, nil
	}
	old := s.ledger.byKey[d.get("subst/chSubstda")]
	if old == nil {
		return nil, reject("E0044")
	}
	if rejected := old.notReplaceable(); rejected != nil {
		return nil, rejected
	}
	if slices.Contains(s.registry.Collected, old.AccessKey) {
		return nil, reject("E0074")
	}
	if rejected := s.registry.refusesReplacement(old, d, now); rejected != nil {
		return nil, rejected
	}
	return old, unlikeReplaced(old.source(), d)
}

// notReplaceable is what the events of a note have against its replacement.
func (n *note) notReplaceable() *rejection {
	has := func(kinds ...string) bool { return slices.ContainsFunc(kinds, n.has) }
	switch barring := n.barring("105102"); {
	case n.cancelled():
		return reject("E0046")
	case n.analysing():
		return reject("E0068")
	case has("202201", "203202", "204203"):
		return reject("E0070")
	case has("205204"):
		return reject("E0072")
	case n.blocked("105102"):
		return reject("E0076")
	case barring != "":
		return rejectBarred("105102", barring)
	}
	return nil
}

// refusesReplacement is what the city of a note has against its replacement. Who enters or
// leaves Simples Nacional (01, 02) has no deadline.
func (r *Registry) refusesReplacement(old *note, d *dps, now time.Time) *rejection {
	city, reason, before := r.agreement(old.Municipality), d.get("subst/cMotivo"), old.source()
	switch {
	case passed(city.ReplaceDays, old.IssuedAt, now) && reason != "01" && reason != "02":
		return reject("E0050")
	case city.ReplaceNeedsTaker && before.identity("toma") == "":
		return reject("E0056")
	case city.ReplaceSameParties &&
		(before.identity("toma") != d.identity("toma") || before.identity("interm") != d.identity("interm")):
		return reject("E0058")
	}
	return nil
}

// unlikeReplaced says what a replacement must not change.
func unlikeReplaced(before, d *dps) *rejection {
	if d.simples() == outsideSimples {
		if d.changes(before, "dCompet", "serv/cServ/cTribNac", "serv/cServ/cTribMun", "serv/locPrest/cLocPrestacao",
			"serv/locPrest/cPaisPrestacao") {
			return reject("E0060")
		}
		return nil
	}
	otherTaker := before.identity("toma") != "" && before.identity("toma") != d.identity("toma")
	if otherTaker || d.changes(before, "dCompet") || before.amount() != d.amount() {
		return reject("E0061")
	}
	return nil
}

// identity is the number by which a party is known: CNPJ, CPF or NIF; empty where it has none.
func (d *dps) identity(party string) string { return or(d.taxID(party), d.get(party+"/NIF")) }

// changes reports whether any of these elements is another than before.
func (d *dps) changes(before *dps, paths ...string) bool {
	return slices.ContainsFunc(paths, func(path string) bool { return d.get(path) != before.get(path) })
}

// replace registers what a replacement does to the replaced note: the system makes the event
// itself, in the name of who issued. Both are written at once. The lock is held.
func (s *Simulator) replace(old, issued *note, d *dps) error {
	const kind = "105102"
	id := "PRE" + old.AccessKey + kind
	words := replacementWords(d.get("subst/cMotivo"), d.get("subst/xMotivo"), issued.AccessKey)
	request := s.ownRequest(old, id, kind, words, issued.IssuedAt)
	registered := event{
		Type: kind, RequestID: id, Replacement: issued.AccessKey, NSU: issued.nsu + 1, Sequence: 1, At: issued.IssuedAt,
	}
	var err error
	if registered.XML, err = s.signer.buildEvent(registered, []byte(request)); err != nil {
		return err
	}
	return s.ledger.addReplacement(issued, old, &registered)
}

// replacementWords are what the event of a replacement holds after its description.
func replacementWords(reason, text, replacement string) string {
	var x xmlWriter
	x.text("cMotivo", reason)
	if text != "" {
		x.text("xMotivo", text)
	}
	x.text("chSubstituta", replacement)
	return x.String()
}
