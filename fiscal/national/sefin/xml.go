package sefin

import (
	"encoding/xml"
	"regexp"
	"strings"
	"time"

	"emissor/internal/xmlread"
	"emissor/nfse"
	"emissor/nfse/fact"
)

// nfseXML is what is read of an NFS-e. What must occur once is a list, so that
// a second one is seen instead of taken for the first.
type nfseXML struct {
	XMLName xml.Name `xml:"http://www.sped.fazenda.gov.br/nfse NFSe"`
	Inf     []struct {
		ID          string   `xml:"Id,attr"`
		Number      []string `xml:"http://www.sped.fazenda.gov.br/nfse nNFSe"`
		ProcessedAt []string `xml:"http://www.sped.fazenda.gov.br/nfse dhProc"`
		totalsXML
		DPS []struct {
			Inf []struct {
				ID             string   `xml:"Id,attr"`
				CorrelationIDs []string `xml:"serv>cServ>cIntContrib"`
				declaredXML
			} `xml:"http://www.sped.fazenda.gov.br/nfse infDPS"`
			Digests []string `xml:"http://www.w3.org/2000/09/xmldsig# Signature>SignedInfo>Reference>DigestValue"`
		} `xml:"http://www.sped.fazenda.gov.br/nfse DPS"`
	} `xml:"http://www.sped.fazenda.gov.br/nfse infNFSe"`
}

// nfseFacts are what an NFS-e says of itself.
type nfseFacts struct {
	id            string // "NFS" and the access key
	number        string
	processedAt   time.Time
	dpsID         string
	digest        string // of the embedded DPS, in base64; empty when it is not signed
	correlationID string // cIntContrib of the embedded DPS; empty when it has none
	totals        nfse.Totals
	issRate       *nfse.Rate
	totalsAlarm   fact.Fact // what of the totals cannot be read
}

var numberForm = regexp.MustCompile(`^[0-9]{1,15}$`)

// readNFSe reads an NFS-e, refusing what could be read in two ways.
func readNFSe(document []byte) (nfseFacts, error) {
	var read nfseXML
	if err := xmlread.Into(document, &read); err != nil {
		return nfseFacts{}, err
	}
	if len(read.Inf) != 1 {
		return nfseFacts{}, fact.Failure(fact.NFSeNotOneInf.Fact())
	}
	inf := read.Inf[0]
	switch {
	case len(inf.DPS) != 1 || len(inf.DPS[0].Inf) != 1 || len(inf.DPS[0].Digests) > 1:
		return nfseFacts{}, fact.Failure(fact.NFSeNotOneDPS.Fact())
	case len(inf.Number) != 1 || !numberForm.MatchString(inf.Number[0]):
		return nfseFacts{}, fact.Failure(fact.NFSeNotOneNumber.Fact())
	case len(inf.ProcessedAt) != 1:
		return nfseFacts{}, fact.Failure(fact.NFSeNotOneMoment.Fact())
	}
	processedAt, err := time.Parse(time.RFC3339, inf.ProcessedAt[0])
	if err != nil {
		return nfseFacts{}, fact.Failure(fact.NFSeMomentNoDate.Fact())
	}
	dps := inf.DPS[0]
	facts := nfseFacts{id: inf.ID, number: inf.Number[0], processedAt: processedAt, dpsID: dps.Inf[0].ID}
	if ids := dps.Inf[0].CorrelationIDs; len(ids) == 1 {
		facts.correlationID = ids[0]
	}
	facts.totals, facts.totalsAlarm = readTotals(inf.totalsXML, dps.Inf[0].declaredXML)
	facts.issRate = inf.totalsXML.rate()
	if len(dps.Digests) == 1 {
		facts.digest = strings.Join(strings.Fields(dps.Digests[0]), "") // base64 may come in lines
	}
	return facts, nil
}

// eventXML is what is read of a registered event.
type eventXML struct {
	XMLName xml.Name `xml:"http://www.sped.fazenda.gov.br/nfse evento"`
	Inf     []struct {
		ID          string   `xml:"Id,attr"`
		ProcessedAt []string `xml:"http://www.sped.fazenda.gov.br/nfse dhProc"`
		Requests    []struct {
			Inf []struct {
				AccessKeys []string                     `xml:"http://www.sped.fazenda.gov.br/nfse chNFSe"`
				Others     []struct{ XMLName xml.Name } `xml:",any"`
			} `xml:"http://www.sped.fazenda.gov.br/nfse infPedReg"`
		} `xml:"http://www.sped.fazenda.gov.br/nfse pedRegEvento"`
	} `xml:"http://www.sped.fazenda.gov.br/nfse infEvento"`
}

// eventFacts are what a registered event says of itself.
type eventFacts struct {
	id           string // "EVT", the access key, the type and the sequence
	accessKey    string
	kind         string    // six digits; empty where it is not one
	registeredAt time.Time // zero when it does not say so
}

// eventElement is the name of the element that an event of any type has.
var eventElement = regexp.MustCompile(`^e[0-9]{6}$`)

// readEvent reads a registered event, refusing what could be read in two ways.
func readEvent(document []byte) (eventFacts, error) {
	var read eventXML
	if err := xmlread.Into(document, &read); err != nil {
		return eventFacts{}, err
	}
	if len(read.Inf) != 1 || len(read.Inf[0].Requests) != 1 || len(read.Inf[0].Requests[0].Inf) != 1 ||
		len(read.Inf[0].Requests[0].Inf[0].AccessKeys) != 1 {
		return eventFacts{}, fact.Failure(fact.EventNotOneDocument.Fact())
	}
	event, request := read.Inf[0], read.Inf[0].Requests[0].Inf[0]
	facts := eventFacts{id: event.ID, accessKey: request.AccessKeys[0]}
	var kinds []string
	for _, element := range request.Others {
		if eventElement.MatchString(element.XMLName.Local) {
			kinds = append(kinds, element.XMLName.Local[1:])
		}
	}
	if len(kinds) == 1 {
		facts.kind = kinds[0]
	}
	if len(event.ProcessedAt) == 1 {
		facts.registeredAt, _ = time.Parse(time.RFC3339, event.ProcessedAt[0])
	}
	return facts, nil
}

// readPacked unpacks a document or event and reads what it says of itself. An
// error is made of a fact, which reads after the name of what it is about.
func readPacked[Facts any](packed string, read func([]byte) (Facts, error)) (content []byte, facts Facts, err error) {
	if content, err = unpack(packed); err == nil {
		facts, err = read(content)
	}
	return content, facts, err
}
