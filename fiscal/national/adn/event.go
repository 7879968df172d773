package adn

import (
	"cmp"
	"encoding/xml"
	"regexp"
	"strconv"
	"strings"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/national/dps"
	"emissor/fiscal/national/schema"
	"emissor/internal/xmlread"
	"emissor/nfse/fact"
)

const (
	cancelled = dps.CancellationEvent // by the issuer, at SEFIN or by hand on the portal
	blocking  = "305102"
	lifting   = "305103"
	granted   = "105104" // what an analysis was asked for
	denied    = "105105"
	byOffice  = "305101" // cancelled by the city, no matter what was asked for
	replaced  = "105102"
)

// kind is what an event of one type is called, and does to its document.
type kind struct {
	title  fact.Code
	effect fiscal.Effect
}

// kinds are the events of layout 1.01, and the two that only have a name.
var kinds = map[string]kind{
	cancelled: {fact.ExternalCancelled, fiscal.EffectCancels},
	replaced:  {fact.ExternalCancelledBySubstitution, fiscal.EffectReplaces},
	"101103":  {fact.ExternalAnalysisRequested, fiscal.EffectNone},
	granted:   {fact.ExternalCancelledAfterAnalysis, fiscal.EffectCancels},
	denied:    {fact.ExternalDeniedAfterAnalysis, fiscal.EffectDeniesCancellation},
	byOffice:  {fact.ExternalCancelledByCity, fiscal.EffectCancels},
	blocking:  {fact.ExternalBlocked, fiscal.EffectBlocksCancellation},
	lifting:   {fact.ExternalUnblocked, fiscal.EffectUnblocksCancellation},
	"202201":  {fact.ExternalConfirmedByProvider, fiscal.EffectNone},
	"203202":  {fact.ExternalConfirmedByTaker, fiscal.EffectNone},
	"204203":  {fact.ExternalConfirmedByIntermediary, fiscal.EffectNone},
	"205204":  {fact.ExternalConfirmedTacitly, fiscal.EffectNone},
	"202205":  {fact.ExternalRejectedByProvider, fiscal.EffectNone},
	"203206":  {fact.ExternalRejectedByTaker, fiscal.EffectNone},
	"204207":  {fact.ExternalRejectedByIntermediary, fiscal.EffectNone},
	"205208":  {fact.ExternalRejectionAnnulled, fiscal.EffectNone},
	"467201":  {fact.ExternalInCollection, fiscal.EffectNone},
	"907201":  {fact.ExternalTaxesCollected, fiscal.EffectNone},
}

// reasonCodes are the reasons of a caller's cancellation. Other events use the same codes for other reasons: an
// analysis that was granted has a 1 as well.
var reasonCodes = map[string]bool{"1": true, "2": true, "9": true}

// effectOf is what an event does. A block names the event that it blocks, and only one
// of cancellation by the issuer concerns a caller.
func (k kind) effectOf(read eventFacts) fiscal.Effect {
	switch {
	case k.effect == "":
		return fiscal.EffectNone
	case k.effect == fiscal.EffectBlocksCancellation && read.blocks != cancelled:
		return fiscal.EffectNone
	}
	return k.effect
}

// eventFacts are what a registered event says of itself.
type eventFacts struct {
	id           string // "EVT", the access key, the type and the sequence
	accessKey    string
	kind         string // six digits
	sequence     int
	production   bool
	registeredAt time.Time
	happenedAt   time.Time
	digest       string // of the signed request; empty where it is not signed
	reasonCode   string
	reasonText   string
	blocks       string // the type of the event that is blocked
	replacement  string // the access key of the note that replaces this one
}

// eventXML is what is read of an event. What must occur once is a list, so that a
// second one is seen instead of taken for the first.
type eventXML struct {
	XMLName xml.Name `xml:"http://www.sped.fazenda.gov.br/nfse evento"`
	Inf     []struct {
		ID          string   `xml:"Id,attr"`
		Sequence    []string `xml:"http://www.sped.fazenda.gov.br/nfse nSeqEvento"`
		ProcessedAt []string `xml:"http://www.sped.fazenda.gov.br/nfse dhProc"`
		Requests    []struct {
			Inf []struct {
				Environment []string       `xml:"http://www.sped.fazenda.gov.br/nfse tpAmb"`
				HappenedAt  []string       `xml:"http://www.sped.fazenda.gov.br/nfse dhEvento"`
				AccessKeys  []string       `xml:"http://www.sped.fazenda.gov.br/nfse chNFSe"`
				Others      []eventDetails `xml:",any"`
			} `xml:"http://www.sped.fazenda.gov.br/nfse infPedReg"`
			Digests []string `xml:"http://www.w3.org/2000/09/xmldsig# Signature>SignedInfo>Reference>DigestValue"`
		} `xml:"http://www.sped.fazenda.gov.br/nfse pedRegEvento"`
	} `xml:"http://www.sped.fazenda.gov.br/nfse infEvento"`
}

// eventDetails is the element that is named by the event's type.
type eventDetails struct {
	XMLName    xml.Name
	ReasonCode []string `xml:"cMotivo"`
	ReasonText []string `xml:"xMotivo"`
	Procedure  []string `xml:"xProcAdm"` // of the city, where it gives no reason
	Blocked    []string `xml:"codEvento"`

	Replacement []string `xml:"chSubstituta"`
}

// maxDigest are the characters of a digest in base64, with room for white space.
const maxDigest = 200

var typeForm = regexp.MustCompile(`^e[0-9]{6}$`)

// readEvent reads a registered event, or says why it cannot be read: also what could be
// read in two ways is refused.
func readEvent(document []byte) (facts eventFacts, problem fact.Fact) {
	var read eventXML
	if err := xmlread.Into(document, &read); err != nil {
		return facts, fact.OfError(err)
	}
	if len(read.Inf) != 1 || len(read.Inf[0].Requests) != 1 || len(read.Inf[0].Requests[0].Inf) != 1 {
		return facts, fact.UnreadTwoEvents.Fact()
	}
	event, request := read.Inf[0], read.Inf[0].Requests[0]
	inf := request.Inf[0]
	var details []eventDetails
	for _, one := range inf.Others {
		if typeForm.MatchString(one.XMLName.Local) {
			details = append(details, one)
		}
	}
	if len(details) != 1 || len(inf.AccessKeys) != 1 || len(inf.Environment) != 1 || len(inf.HappenedAt) != 1 ||
		len(event.ProcessedAt) != 1 || len(event.Sequence) > 1 || len(request.Digests) > 1 {
		return facts, fact.UnreadAmbiguous.Fact()
	}
	facts = eventFacts{
		id: event.ID, accessKey: inf.AccessKeys[0], kind: details[0].XMLName.Local[1:], sequence: 1,
		production: inf.Environment[0] == "1",
		reasonCode: only(details[0].ReasonCode),
		reasonText: cmp.Or(only(details[0].ReasonText), only(details[0].Procedure)),
		blocks:     strings.TrimPrefix(only(details[0].Blocked), "e"),
	}
	if key := only(details[0].Replacement); schema.AccessKeyForm(key) {
		facts.replacement = key
	}
	var err error
	if len(event.Sequence) == 1 {
		facts.sequence, err = strconv.Atoi(event.Sequence[0])
	}
	if err != nil || facts.sequence < 1 || facts.sequence > 999 {
		return facts, fact.UnreadSequence.Fact()
	}
	if len(request.Digests) == 1 && len(request.Digests[0]) <= maxDigest {
		facts.digest = strings.Join(strings.Fields(request.Digests[0]), "") // base64 may come in lines
	}
	facts.registeredAt, err = time.Parse(time.RFC3339, event.ProcessedAt[0])
	if err == nil {
		facts.happenedAt, err = time.Parse(time.RFC3339, inf.HappenedAt[0])
	}
	switch {
	case err != nil || !storable(facts.registeredAt) || !storable(facts.happenedAt):
		return facts, fact.UnreadMoment.Fact()
	case !schema.AccessKeyForm(facts.accessKey):
		return facts, fact.UnreadAccessKey.Fact()
	case !strings.HasPrefix(facts.id, "EVT"+facts.accessKey+facts.kind):
		return facts, fact.UnreadID.Fact()
	}
	return facts, fact.Fact{}
}

// storable reports whether a moment is one that records and JSON can have.
func storable(at time.Time) bool { return at.Year() >= 2000 && at.Year() < 2200 }

// only is the one text of a list; empty where there is none, or several.
func only(texts []string) string {
	if len(texts) != 1 {
		return ""
	}
	return strings.TrimSpace(texts[0])
}
