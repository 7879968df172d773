package dashboard

import (
	"emissor/dashboard/format"
	"emissor/internal/xmlread"
	"emissor/nfse"
	"emissor/store"
)

// readComputed reads what the authority computed and the totals do not have: the base of the tax and
// the rate that was applied, which may be another than the service's.
func (r *request) readComputed(page *notePage) error {
	if page.Note.Authority == nil || page.Note.Authority.Totals == nil {
		return nil
	}
	xml, err := r.d.store.NoteXML(r.Context(), r.scope, page.Note.ID)
	switch {
	case nfse.IsCode(err, nfse.CodeXMLNotAvailable):
		return nil
	case store.IsArchiveAway(err):
		page.ArchiveAway = true
		return nil
	}
	if err != nil {
		return err
	}
	_, fields, err := xmlread.Fields(xml)
	if err != nil {
		return nil // it is shown as it is, in the file
	}
	const values = "infNFSe/valores/"
	if cents, read := xmlread.Cents(firstField(fields[values+"vBC"])); read {
		page.Computed = append(page.Computed, line{"note.base", format.Money(r.language, cents)})
	}
	if rate := firstField(fields[values+"pAliqAplic"]); rate != "" {
		page.Computed = append(page.Computed, line{"note.rate", format.Percent(r.language, rate) + " %"})
		own := page.Note.Service.ISSRate
		if applied, err := nfse.ParseRate(rate); err == nil && own != nil && *own != applied {
			page.Rate = r.language.Say("note.rate.counts", r.rate(own), r.rate(&applied))
		}
	}
	return nil
}

func firstField(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return all[0]
}
