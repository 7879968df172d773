package received

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	bookpages "emissor/dashboard/books"
	cataloguepages "emissor/dashboard/catalogues"
	"emissor/dashboard/format"
	"emissor/dashboard/frame"
	notepages "emissor/dashboard/notes"
	"emissor/fiscal"
	"emissor/fiscal/danfse"
	"emissor/nfse"
	"emissor/store/received"
)

const (
	receivedOnPage  = 50  // how many received notes a page lists
	receivedInPiece = 500 // how many a download reads at a time
)

// The authority's portals, where a taker confirms or rejects a note.
const (
	productionPortal = "https://www.nfse.gov.br/EmissorNacional"
	restrictedPortal = "https://www.producaorestrita.nfse.gov.br/EmissorNacional"
)

// RoutesOfReceived are the notes of others in which the organization is a party.
func RoutesOfReceived(d *frame.Dashboard) []frame.Route {
	return []frame.Route{
		frame.On("GET", "/received", frame.SeeBooks, frame.Nothing, listReceived),
		frame.On("GET", "/received.csv", frame.SeeBooks, frame.Nothing, downloadReceived),
		frame.On("GET", "/received.zip", frame.SeeBooks, frame.Nothing, downloadReceivedZIP),
		frame.On("GET", "/received/{key}", frame.SeeBooks, frame.Nothing, showReceived),
		frame.On("GET", "/received/{key}/xml", frame.SeeBooks, frame.Nothing, downloadReceivedXML),
		frame.On("GET", "/received/{key}/danfse", frame.SeeBooks, frame.Nothing, downloadReceivedDANFSe),
	}
}

// receivedFields are the filters of received notes, by their names in the address.
var receivedFields = []string{"month", "issuer", "state", "number", "pay"}

// receivedPage is a page of the list of received notes.
type receivedPage struct {
	received.ReceivedPage
	frame.Pager
	Form      *frame.Form
	Statuses  []received.ReceivedStatus
	Filtered  bool
	Sums      *received.ReceivedSums // of a month; nil where none is chosen
	CSVURL    string
	ZIPURL    string               // empty where no month is chosen
	LastMonth string               // the address of the last month's notes
	Receiving []received.Receiving // how they come here
}

func listReceived(r *frame.Request) error {
	form := r.NewForm(receivedFields...)
	filter := receivedFilter(form)
	page := receivedPage{Form: form, Statuses: received.ReceivedStatuses}
	pairs := receivedPairs(form)
	for i := 1; i < len(pairs); i += 2 {
		page.Filtered = page.Filtered || pairs[i] != ""
	}
	today := time.Now().In(format.Zone)
	before := time.Date(today.Year(), today.Month()-1, 1, 0, 0, 0, 0, format.Zone)
	page.LastMonth = r.Link("/received", "month", before.Format(monthForm))
	if !form.Good() {
		return r.RenderStatus(http.StatusUnprocessableEntity, "received", "section.received", page)
	}
	filter.Limit = receivedOnPage
	query := r.URL.Query()
	if key := query.Get("older"); receivedKey(key) {
		filter.After = key
	} else if key := query.Get("newer"); receivedKey(key) {
		filter.Before = key
	}
	var err error
	if page.ReceivedPage, err = r.D.Store.Received.ReceivedNotes(r.Context(), r.Scope, filter); err != nil {
		return err
	}
	if page.Receiving, err = r.D.Store.Received.Receiving(r.Context(), r.Scope.OrganizationID); err != nil {
		return err
	}
	keys := make([]string, len(page.Notes))
	for i, note := range page.Notes {
		keys[i] = note.AccessKey
	}
	page.Pager = r.Pager("/received", keys, page.Newer, page.Older, pairs...)
	page.CSVURL = r.Link("/received.csv", pairs...)
	if filter.Since != "" {
		page.ZIPURL = r.Link("/received.zip", pairs...)
		sums, err := r.D.Store.Received.ReceivedSums(r.Context(), r.Scope, filter)
		if err != nil {
			return err
		}
		page.Sums = &sums
	}
	return r.Render("received", "section.received", page)
}

// monthForm is the form of <input type="month">.
const monthForm = "2006-01"

// receivedFilter reads the filters of the address.
func receivedFilter(form *frame.Form) received.ReceivedFilter {
	filter := received.ReceivedFilter{Number: strings.TrimLeft(form.Trimmed("number"), "0"),
		Status: received.ReceivedStatus(form.Value("state")), Withheld: form.Value("pay") != ""}
	if month := form.Trimmed("month"); month != "" {
		first, err := time.ParseInLocation(monthForm, month, format.Zone)
		if err != nil || first.Year() < 2000 || first.Year() > 2199 {
			form.AddProblem("month", "received.month.wrong")
		} else {
			filter.Since, filter.Until = nfse.DayOf(first), nfse.DayOf(first.AddDate(0, 1, -1))
		}
	}
	if filter.Status != "" && !slices.Contains(received.ReceivedStatuses, filter.Status) {
		form.AddProblem("state", "notes.state.wrong")
	}
	if issuer := form.Trimmed("issuer"); issuer != "" {
		if id, err := nfse.ParseTaxID(issuer); err == nil {
			filter.IssuerTaxID = id
		} else if filter.IssuerName = issuer; form.Trimmed("month") == "" {
			form.AddProblem("month", "received.month.needed") // so that not every note is read for a name
		}
	}
	return filter
}

func receivedPairs(form *frame.Form) (pairs []string) {
	for _, field := range receivedFields {
		pairs = append(pairs, field, form.Value(field))
	}
	return pairs
}

// receivedKey reports whether a text can be the access key of a received note: 50 letters and
// digits in capitals.
func receivedKey(text string) bool {
	return len(text) > 0 && len(text) <= 50 && strings.IndexFunc(text, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z')
	}) < 0
}

// receivedNotePage is one received note.
type receivedNotePage struct {
	received.ReceivedNoteDocument
	Restricted bool   // it is of restricted production: worth nothing
	Place      string // name of the municipality where the ISS is due
	PortalURL  string
	PublicURL  string // the authority's page of it; empty where it is of restricted production
	Hash       string // SHA-256 of the XML
}

func showReceived(r *frame.Request) error {
	note, err := receivedNote(r)
	if err != nil {
		return err
	}
	page := receivedNotePage{ReceivedNoteDocument: note, Restricted: !note.Production, PortalURL: restrictedPortal,
		Place: cataloguepages.MunicipalityName(note.PlaceCode), Hash: hex.EncodeToString(note.Hash)}
	if note.Production {
		page.PortalURL = productionPortal
		page.PublicURL = "https://www.nfse.gov.br/ConsultaPublica/?tpc=1&chave=" + note.AccessKey
	}
	return r.Render("received_note", "section.received", page)
}

// receivedNote reads the note that the address names.
func receivedNote(r *frame.Request) (note received.ReceivedNoteDocument, err error) {
	key := r.PathValue("key")
	if !receivedKey(key) {
		return note, notepages.ErrNotKnown
	}
	note, err = r.D.Store.Received.ReceivedNote(r.Context(), r.Scope, key)
	if errors.Is(err, received.ErrNotReceived) {
		err = notepages.ErrNotKnown
	}
	return note, err
}

// downloadReceivedXML sends the document as it was served.
func downloadReceivedXML(r *frame.Request) error {
	note, err := receivedNote(r)
	if err == nil && len(note.XML) == 0 {
		err = notepages.ErrNotKnown
	}
	if err != nil {
		return err
	}
	return sendReceived(r, note.AccessKey+".xml", "application/xml; charset=utf-8", note.XML)
}

// downloadReceivedDANFSe draws the printed form of the document. What cannot be drawn, as a document
// of a city in a form of its own, is said on a page.
func downloadReceivedDANFSe(r *frame.Request) error {
	note, err := receivedNote(r)
	if err == nil && len(note.XML) == 0 {
		err = notepages.ErrNotKnown
	}
	if err != nil {
		return err
	}
	page, err := notepages.Draw(r.Context(), r.D, receivedDocument(note))
	var known frame.Problem
	switch {
	case errors.As(err, &known):
		return known
	case err != nil:
		r.D.Logger.WarnContext(r.Context(), "a received note is not drawn", "request_id", r.ID, "error", err)
		return frame.Problem{Status: http.StatusNotFound, Key: "problem.received_not_drawn"}
	}
	return sendReceived(r, note.AccessKey+".pdf", "application/pdf", page)
}

// receivedDocument is what is drawn of a received note: its state follows from its verified events, and no company's
// logo is put on another's document.
func receivedDocument(note received.ReceivedNoteDocument) danfse.Document {
	document := danfse.Document{XML: note.XML, Cancelled: note.Status != received.ReceivedIssued,
		Replaced: note.Status == received.ReceivedReplaced}
	for _, event := range note.Events {
		if event.Problem.None() && event.Effect == fiscal.EffectReplaces && len(event.Content) > 0 {
			document.Events = append(document.Events, event.Content)
		}
	}
	return document
}

func sendReceived(r *frame.Request, name, kind string, content []byte) error {
	header := r.W.Header()
	header.Set("Content-Type", kind)
	header.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	http.ServeContent(r.W, r.Request, "", time.Time{}, bytes.NewReader(content))
	return nil
}

// receivedColumns are the columns of a download, by the keys of their names.
var receivedColumns = []string{"notes.competence", "note.number", "received.issuer", "received.issuer.id",
	"received.role", "notes.state", "notes.amount", "received.iss_withheld", "received.federal_withheld",
	"received.service", "received.description", "received.issued", "note.access_key", "received.digest"}

// downloadReceived sends the notes that match the list's filters as CSV, piece by piece.
func downloadReceived(r *frame.Request) error {
	form := r.NewForm(receivedFields...)
	filter := receivedFilter(form)
	if !form.Good() {
		return r.Redirect(r.Link("/received", receivedPairs(form)...), "") // whose form says what is wrong
	}
	filter.Limit = receivedInPiece
	return r.Download("received.csv", receivedColumns,
		func(ctx context.Context) (rows [][]string, more bool, err error) {
			page, documents, err := receivedPiece(r, ctx, &filter)
			for _, note := range documents {
				rows = append(rows, receivedCells(r, note))
			}
			return rows, page.Older, err
		})
}

// receivedPiece reads the next notes of a filter with their documents, and moves the filter on.
func receivedPiece(r *frame.Request, ctx context.Context, filter *received.ReceivedFilter) (page received.ReceivedPage,
	documents []received.ReceivedNoteDocument, err error) {
	if page, err = r.D.Store.Received.ReceivedNotes(ctx, r.Scope, *filter); err != nil || len(page.Notes) == 0 {
		return page, nil, err
	}
	keys := make([]string, len(page.Notes))
	for i, note := range page.Notes {
		keys[i] = note.AccessKey
	}
	filter.After = keys[len(keys)-1]
	documents, err = r.D.Store.Received.ReceivedDocuments(ctx, r.Scope, keys)
	return page, documents, err
}

func receivedCells(r *frame.Request, note received.ReceivedNoteDocument) []string {
	amount := func(cents *int64) string {
		if cents == nil {
			return ""
		}
		return bookpages.PlainAmount(r.Language, *cents)
	}
	return []string{
		format.Date(r.Language, note.Competence), note.Number, note.IssuerName, format.TaxID(note.IssuerTaxID),
		r.Language.Say("received.role." + string(note.Role)), r.Language.Say("received.status." + string(note.Status)),
		amount(note.AmountCents), amount(note.ISSCents), amount(note.FederalCents), note.ServiceCode,
		note.Description, format.Moment(r.Language, note.IssuedAt), note.AccessKey, hex.EncodeToString(note.Hash),
	}
}
