package sefin

import (
	"regexp"
	"slices"
	"strings"

	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// This file is the one place for what proves that an answer is about our document; docs/architecture.md
// (What decides that a document exists) has the table of all calls.
//
// That a document exists is proved by the document alone: its access key fits the issuer and the city of
// our DPS, it embeds the DPS of our Id, and the digest of that is one of our messages'. Where signatures
// are required, the authority's verifies. What an answer says beside a document that is ours informs:
// hosts were recorded that name the document where the DPS is documented, the environment 0, or nothing.
// Where it contradicts the document that is a warning on record, and no doubt. An event proves itself in the
// same way: event.readXML.
//
// A key alone fits every document of a company in a city: it says where to fetch the document, and
// nothing more. That something does not exist, or was refused, counts only where the answer names nothing
// else than what was asked: another Id, key or environment in it makes it a question.

// matchToRequest adds to an answer an NFS-e that was read, as far as it is the one that was asked for.
func (d document) matchToRequest(xml []byte, facts nfseFacts, answer fiscal.Answer) fiscal.Answer {
	key, named := strings.CutPrefix(facts.id, keyPrefix)
	switch {
	case !named || facts.dpsID != d.dpsID():
		return answer.Ambiguous(fact.SefinDocumentOfAnotherDPS.Fact())
	case !d.fits(key):
		return answer.Ambiguous(fact.SefinKeyOfAnotherIssuer.Fact())
	}
	answer.Outcome = fiscal.OutcomeAccepted
	answer.Match = fiscal.MatchDocument(d.request, facts.digest, facts.correlationID)
	answer.Document = &fiscal.IssuedDocument{
		AccessKey: key, XML: xml, Digest: facts.digest, ISSRate: facts.issRate,
		Authorization: nfse.Authorization{AccessKey: &key, Number: &facts.number,
			IssuedAt: nfse.Timestamp{Time: facts.processedAt}, Totals: facts.totals.OrNil()},
	}
	answer.Reason, answer.Alarm = fact.Fact{}, answer.Alarm.And(facts.totalsAlarm)
	problem := d.client.signatureProblem(xml, facts.id, facts.processedAt, d.client.options.DocumentSigners)
	answer.Document.SignatureProblem = problem
	return d.client.signed(answer, problem)
}

// fits reports whether an access key can be that of the document: it and the Id of the DPS name the
// municipality and the issuer, one around the digit of the system that generated it, the other without.
func (d document) fits(key string) bool {
	id := d.dpsID()
	return schema.ValidAccessKey(key) && len(id) == 45 && id[:3] == "DPS" && key[8:23] == id[10:25] &&
		(d.anyCity || key[:7] == id[3:10])
}

// keyPrefix stands before an access key in the Id of an NFS-e.
const keyPrefix = "NFS"

// keys are the access keys that an answer names, without what may stand before them: as chaveAcesso or,
// as SEFIN does, in the place of the Id of the DPS.
func (m members) keys() (keys []string) {
	for _, name := range m.texts("chaveAcesso") {
		keys = append(keys, strings.TrimPrefix(name, keyPrefix))
	}
	for _, name := range m.texts("idDps") {
		if key, is := strings.CutPrefix(name, keyPrefix); is {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// dpsForm is the form of the Id of a DPS: what has another form names none.
var dpsForm = regexp.MustCompile(`(?i)^DPS[0-9A-Z]{42}$`)

// ids are the Ids of a DPS that an answer names.
func (m members) ids() []string {
	return slices.DeleteFunc(m.texts("idDps"), func(name string) bool { return !dpsForm.MatchString(name) })
}

// namesAnother returns the member by which an answer names something else than these; empty where none does.
func (m members) namesAnother(dpsID, accessKey string) (member string) {
	for _, id := range m.ids() {
		if !strings.EqualFold(id, dpsID) {
			return "idDps"
		}
	}
	for _, key := range m.keys() {
		if key != accessKey {
			return "chaveAcesso"
		}
	}
	return ""
}

// contradicted adds to an answer that is proved what else the reply says against it: a warning on record.
func (r reply) contradicted(body body, answer fiscal.Answer, another string) fiscal.Answer {
	said := another
	switch {
	case said != "":
	case !r.otherEnvironment(body).None():
		said = "tipoAmbiente"
	case len(r.answerErrors(body)) > 0:
		said = r.answerErrors(body)[0].code
	case !r.Successful():
		said = "HTTP"
	default:
		return answer
	}
	answer.Reason = answer.Reason.And(fact.SefinContradictsItsDocument.With("member", said, "status", r.Status))
	return answer
}
