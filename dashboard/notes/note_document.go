package notes

import (
	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	"emissor/fiscal/danfse"
	"emissor/internal/xmlread"
	"emissor/nfse"
	"emissor/store/lifecycle"
	"emissor/store/postgres"
)

// readDocument reads the document of the note for its sheet, and what the authority computed and the totals do
// not have. Where there is no national document, or none that can be read, the sheet is what is declared.
func readDocument(r *frame.Request, page *notePage, history lifecycle.NoteHistory) error {
	status := page.Note.Status
	if page.HasXML {
		status = nfse.StatusIssued
	}
	page.Sheet = danfse.Declared(page.Note, history.Details, history.IssuedBy.FiscalProfile)
	page.SheetMeans = "note.sheet." + string(status)
	if !page.HasXML {
		return nil
	}
	stored, err := r.D.Store.Notes.NoteDocument(r.Context(), page.Note.ID)
	switch {
	case nfse.IsCode(err, nfse.CodeXMLNotAvailable):
		return nil
	case postgres.IsArchiveAway(err):
		page.ArchiveAway = true
		return nil
	}
	if err != nil {
		return err
	}
	if sheet, err := danfse.Read(printed(r.D, stored)); err == nil {
		page.Sheet, page.SheetMeans = sheet, ""
	}
	readComputed(r, page, stored.XML)
	return nil
}

// readComputed reads the base of the tax and the rate that was applied, which may be another than the service's.
func readComputed(r *frame.Request, page *notePage, xml []byte) {
	_, fields, err := xmlread.Fields(xml)
	if err != nil || page.Note.Authority.Totals == nil {
		return // it is shown as it is, in the file
	}
	const values = "infNFSe/valores/"
	if cents, read := xmlread.Cents(firstField(fields[values+"vBC"])); read {
		page.Computed = append(page.Computed, frame.Line{Label: "note.base", Text: format.Money(r.Language, cents)})
	}
	if rate := firstField(fields[values+"pAliqAplic"]); rate != "" {
		page.Computed = append(page.Computed, frame.Line{Label: "note.rate", Text: format.Percent(r.Language, rate) + " %"})
		own := page.Note.Service.ISSRate
		if applied, err := nfse.ParseRate(rate); err == nil && own != nil && *own != applied {
			page.Rate = r.Language.Say("note.rate.counts", rateWords(r, own), rateWords(r, &applied))
		}
	}
}

func firstField(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return all[0]
}
