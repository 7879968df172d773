package dps

import (
	"fmt"
	"time"

	"emissor/fiscal"
	"emissor/fiscal/national/schema"
	"emissor/fiscal/national/taxation"
	"emissor/fiscal/xmldsig"
)

// Signer builds and signs messages.
type Signer struct {
	Profile  xmldsig.Profile // how they are signed
	Software string          // verAplic: name and version of this program, at most 20 characters
	IBSCBS   taxation.IBSCBS // when the group of the reform is written
	// MunicipalCodes has the city's own code of a service written where one is set (cTribMun).
	MunicipalCodes bool
}

// SignDeclaration builds and signs the DPS of a declaration. It refuses data that
// cannot be right, which rules.Check refuses before.
func (s Signer) SignDeclaration(
	declaration fiscal.Declaration, credentials *fiscal.Credentials, at time.Time,
) (fiscal.Message, error) {
	message, err := s.signDeclaration(declaration, credentials, at)
	if err != nil {
		return fiscal.Message{}, fmt.Errorf("DPS: %w", err)
	}
	return message, nil
}

func (s Signer) signDeclaration(
	declaration fiscal.Declaration, credentials *fiscal.Credentials, at time.Time,
) (fiscal.Message, error) {
	layout, id, text, err := s.write(declaration, at)
	if err != nil {
		return fiscal.Message{}, err
	}
	if declaration.AutoFixes.Has(fiscal.OtherSignature) {
		s.Profile.SHA1 = !s.Profile.SHA1
	}
	return s.sign(layout, "DPS", id, text, credentials)
}

// Draft writes the DPS of a declaration (infDPS) in the layout of a moment, without signing it.
func (s Signer) Draft(declaration fiscal.Declaration, at time.Time) (fiscal.Draft, error) {
	layout, _, text, err := s.write(declaration, at)
	if err != nil {
		return fiscal.Draft{}, fmt.Errorf("DPS: %w", err)
	}
	return fiscal.Draft{Layout: layout.name, XML: text}, nil
}

// write writes the DPS of a declaration in the default layout, or in the one that an answer asked for.
func (s Signer) write(
	declaration fiscal.Declaration, at time.Time,
) (layout *layout, id string, text []byte, err error) {
	moment, err := declarationMoment(at, declaration.Signings, declaration.Note.Competence)
	if err != nil {
		return nil, "", nil, err
	}
	layout = layouts[0]
	if declaration.Layout != "" {
		if layout, err = layoutNamed(declaration.Layout); err != nil {
			return nil, "", nil, err
		}
	}
	content, err := s.dps(declaration, moment)
	if err != nil {
		return nil, "", nil, err
	}
	var w writer
	layout.dps(&w, content)
	return layout, content.id, w.text, nil
}

// SignCancellation builds and signs the request to cancel an issued document
// (event e101101), or to have the city decide that by an analysis (e101103).
func (s Signer) SignCancellation(
	request fiscal.CancellationRequest, credentials *fiscal.Credentials, at time.Time,
) (fiscal.Message, error) {
	content, err := s.cancellation(request, at)
	if err != nil {
		return fiscal.Message{}, fmt.Errorf("pedRegEvento: %w", err)
	}
	layout := layouts[0]
	var w writer
	layout.cancellation(&w, content)
	return s.sign(layout, "pedRegEvento", content.id, w.text, credentials)
}

// sign puts a written element and its signature under their root.
func (s Signer) sign(
	layout *layout, root, id string, element []byte, credentials *fiscal.Credentials,
) (fiscal.Message, error) {
	signed := xmldsig.Element{Namespace: schema.Namespace, ID: id, Text: element}
	signature, digest, err := xmldsig.Sign(s.Profile, signed, credentials.Certificate)
	if err != nil {
		return fiscal.Message{}, err
	}
	start := `<?xml version="1.0" encoding="UTF-8"?><` + root + ` xmlns="` + schema.Namespace +
		`" versao="` + layout.version + `">`
	end := "</" + root + ">"
	xml := make([]byte, 0, len(start)+len(element)+len(signature)+len(end))
	xml = append(xml, start...)
	xml = append(xml, element...)
	xml = append(xml, signature...)
	xml = append(xml, end...)
	return fiscal.Message{ID: id, Layout: layout.name, Digest: digest, XML: xml, CertificateID: credentials.ID}, nil
}
