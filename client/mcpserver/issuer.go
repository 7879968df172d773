package mcpserver

import (
	"context"

	"emissor/client"
	"emissor/internal/xmlread"
)

// issuer says who issues with the key, and at which authority, by the document of a note: the API says it nowhere
// else. Without a note it is the newest of the key's notes that was issued.
func (s *server) issuer(ctx context.Context, noteID string) ([]line, error) {
	if noteID == "" {
		newest, err := s.client.Notes(ctx, client.Page{Limit: searchPage})
		if err != nil {
			return nil, err
		}
		for _, note := range newest.Data {
			if note.Authority != nil {
				noteID = note.ID
				break
			}
		}
	}
	unknown := []line{{"Company and authority", "not known here, as there is no document of an issued note"}}
	if noteID == "" {
		return unknown, nil
	}
	document, err := s.client.XML(ctx, noteID)
	switch {
	case client.IsCode(err, client.ErrorCodeXMLNotAvailable):
		return unknown, nil
	case err != nil:
		return nil, err
	}
	if read := issuerIn(document); read != nil {
		return read, nil
	}
	return unknown, nil
}

// issuerIn reads the issuer and the authority in a document of the national form or of São Paulo's; nil where it has
// neither.
func issuerIn(document []byte) []line {
	root, fields, err := xmlread.Fields(document)
	if err != nil {
		return nil
	}
	first := func(paths ...string) string {
		for _, path := range paths {
			if texts := fields[path]; len(texts) > 0 && texts[0] != "" {
				return texts[0]
			}
		}
		return ""
	}
	var name, id, authority string
	switch root.Local {
	case "NFSe":
		name, id = first("infNFSe/emit/xNome"), first("infNFSe/emit/CNPJ", "infNFSe/emit/CPF")
		authority = "the national system (SEFIN Nacional)"
		if first("infNFSe/ambGer") == "1" {
			authority = "the city's own server, of " + quoted(first("infNFSe/xLocEmi"))
		}
	case "NFe":
		name, id = first("RazaoSocialPrestador"), first("CPFCNPJPrestador/CNPJ", "CPFCNPJPrestador/CPF")
		authority = "the city of São Paulo"
	default:
		return nil
	}
	return []line{{"Company", party(name, id)}, {"Authority", authority}}
}
