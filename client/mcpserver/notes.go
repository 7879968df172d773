package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"

	"emissor/client"
	"emissor/nfse"
)

// one is the argument of a tool about one note.
type one struct {
	ID string `json:"id"`
}

var (
	oneInput  = object{"id": noteIDSchema}
	oneNeeded = []string{"id"}
)

func (s *server) addNoteTools() {
	s.addIssueTool()
	s.addWaitTool()
	s.addFindTool()
	add(s, tool{name: "show_note", title: "Show a note",
		description: "Reads one note: its state, what was asked for, and what the authority answered.",
		input:       oneInput, needed: oneNeeded, output: object{"note": noteRecord}},
		func(ctx context.Context, _ call, in one) (object, error) {
			note, err := s.client.Note(ctx, in.ID)
			return object{"note": note}, err
		})
	s.addExplainTool()
	s.addCancelTool()
	s.addXMLTool()
}

func (s *server) addIssueTool() {
	add(s, tool{name: "issue_note", title: "Issue a note", act: true, again: true,
		description: "Issues an NFS-e: accepted at once, and then carried out; wait_for_note says how it ended. Give " +
			"exactly one of customer_id and customer. Keep the reference: the same request repeated with it is the same " +
			"note, and a charge that was rejected is issued again with a new reference.",
		input: object{
			"reference": referenceSchema, "service_id": serviceIDSchema, "amount_cents": amountSchema,
			"customer_id": said(customerIDSchema, "a customer whose fiscal_data_complete is true"),
			"customer": closed(object{"document": documentSchema, "name": customerName,
				"municipality_code": said(municipalitySchema, "IBGE code; must be that of the zip code"),
				"address":           closed(addressProperties, "zip_code", "street", "number", "district")},
				"document", "name", "address"),
			"service":      closed(object{"description": descriptionText}),
			"iss_withheld": said(flag, "the customer withholds the ISS"),
			"sandbox_scenario": oneOf("with a test key: how the simulation answers",
				string(nfse.ScenarioAuthorized), string(nfse.ScenarioRejected), string(nfse.ScenarioSlow)),
		},
		needed: []string{"reference", "service_id", "amount_cents"},
		output: object{"accepted": open(object{"id": someText, "status": status, "livemode": flag,
			"idempotent": said(flag, "the note was there already"), "reference": someText, "customer_id": someText})}},
		func(ctx context.Context, c call, in json.RawMessage) (object, error) {
			err := s.confirm(ctx, c, "Issue this note?",
				func(ctx context.Context) ([]line, error) { return s.aboutIssue(ctx, in) })
			if err != nil {
				return nil, err
			}
			accepted, err := s.client.Issue(ctx, in)
			return object{"accepted": accepted}, err
		})
}

// aboutIssue is what a person sees of a note that is issued, with the names of what is only named by an id.
func (s *server) aboutIssue(ctx context.Context, in json.RawMessage) ([]line, error) {
	var note client.CreateNfse
	if err := json.Unmarshal(in, &note); err != nil {
		return nil, err
	}
	service, err := s.client.Service(ctx, note.ServiceID)
	if err != nil {
		return nil, err
	}
	lines := []line{{"Amount", nfse.Reais(note.AmountCents)}}
	if note.Customer != nil {
		lines = append(lines, line{"Taker", party(note.Customer.Name, note.Customer.Document)})
	}
	if note.CustomerID != nil {
		customer, err := s.client.Customer(ctx, *note.CustomerID)
		if err != nil {
			return nil, err
		}
		lines = append(lines, line{"Taker", party(customer.Name, customer.Document)})
	}
	description := service.Description
	if note.Service != nil && note.Service.Description != nil {
		description = *note.Service.Description
	}
	issuer, err := s.issuer(ctx, "")
	lines = append(lines, line{"Service", quoted(service.Name)}, line{"Description", quoted(description)},
		line{"ISS withheld by the taker", yes(note.ISSWithheld != nil && *note.ISSWithheld)},
		line{"Reference", quoted(note.Reference)})
	return append(lines, issuer...), err
}

// How long wait_for_note waits: clients give a call up after about a minute.
const (
	usualWait   = 20
	longestWait = 50
)

func (s *server) addWaitTool() {
	type waiting struct {
		ID      string `json:"id"`
		Seconds int    `json:"seconds"`
	}
	add(s, tool{name: "wait_for_note", title: "Wait for a note",
		description: "Waits until a note is issued, rejected or cancelled and no cancellation is pending. Where ended is " +
			"false the time was over first: call it again, or come back later. A live note can take long.",
		input: object{"id": noteIDSchema,
			"seconds": whole(1, longestWait, fmt.Sprintf("how long to wait; %d when left out", usualWait))},
		needed: oneNeeded, output: object{"note": noteRecord, "ended": flag}},
		func(ctx context.Context, _ call, in waiting) (object, error) {
			if in.Seconds == 0 {
				in.Seconds = usualWait
			}
			limited, cancel := context.WithTimeout(ctx, time.Duration(in.Seconds)*time.Second)
			defer cancel()
			note, err := s.client.WaitSettled(limited, in.ID)
			if err != nil && limited.Err() != nil && ctx.Err() == nil && note.ID != "" {
				return object{"note": note, "ended": false}, nil
			}
			return object{"note": note, "ended": err == nil}, err
		})
}

// noteSearch is what notes are looked for by.
type noteSearch struct {
	Reference     string            `json:"reference"`
	Status        client.NfseStatus `json:"status"`
	Document      string            `json:"document"`
	Limit         int               `json:"limit"`
	StartingAfter string            `json:"starting_after"`
}

func (q noteSearch) matches(note client.Nfse) bool {
	return (q.Reference == "" || note.Reference == q.Reference) && (q.Status == "" || note.Status == q.Status) &&
		(q.Document == "" || sameDocument(q.Document, note.Customer.Document))
}

func (s *server) addFindTool() {
	const usual = 10
	add(s, tool{name: "find_notes", title: "Find notes",
		description: "Looks for notes, newest first, by reference, state and the customer's document; without any of " +
			"them it lists. It looks at 1000 notes behind starting_after at most: what was not looked at begins at next_cursor.",
		input: object{"reference": said(referenceSchema, "exactly this reference"), "status": status,
			"document": documentSchema, "limit": whole(1, mostFound, fmt.Sprintf("the most notes; %d when left out", usual)),
			"starting_after": said(noteIDSchema, "next_cursor of the search before")},
		output: object{"notes": list(noteRecord), "looked_at": count, "next_cursor": nextCursor}},
		func(ctx context.Context, _ call, in noteSearch) (object, error) {
			if in.Limit == 0 {
				in.Limit = usual
			}
			found, err := search(ctx, in.StartingAfter, s.client.Notes, in.matches,
				func(note client.Nfse) string { return note.ID }, in.Limit)
			return object{"notes": found.records, "looked_at": found.lookedAt, "next_cursor": found.next}, err
		})
}

func (s *server) addCancelTool() {
	type cancelling struct {
		ID string `json:"id"`
		client.CancelNfse
	}
	add(s, tool{name: "cancel_note", title: "Cancel a note", act: true, again: true, removes: true,
		description: "Asks for a note's cancellation. It is pending until the authority answers: wait_for_note says how " +
			"it ended. A refusal leaves the note issued, with the reason in cancellation.refusal. A rejected note cannot " +
			"be cancelled, and need not be.",
		input: object{"id": noteIDSchema,
			"reason_code": oneOf("1: error in issuance, 2: service not rendered, 9: other", "1", "2", "9"),
			"reason_text": object{"type": "string", "minLength": 15,
				"description": "why, in words for the authority: 15 to 255 characters"}},
		needed: []string{"id", "reason_code", "reason_text"}, output: object{"note": noteRecord}},
		func(ctx context.Context, c call, in cancelling) (object, error) {
			err := s.confirm(ctx, c, "Cancel this note?",
				func(ctx context.Context) ([]line, error) { return s.aboutCancel(ctx, in.ID, in.CancelNfse) })
			if err != nil {
				return nil, err
			}
			note, err := s.client.CancelNote(ctx, in.ID, in.CancelNfse)
			return object{"note": note}, err
		})
}

// aboutCancel is what a person knows a note by that is cancelled.
func (s *server) aboutCancel(ctx context.Context, id string, cancel client.CancelNfse) ([]line, error) {
	note, err := s.client.Note(ctx, id)
	if err != nil {
		return nil, err
	}
	lines := []line{{"Amount", nfse.Reais(note.AmountCents)},
		{"Taker", party(note.Customer.Name, note.Customer.Document)}}
	if note.Authority != nil {
		lines = append(lines, line{"Number", optional(note.Authority.Number)})
	} else {
		id = "" // it has no document
	}
	issuer, err := s.issuer(ctx, id)
	lines = append(lines, line{"Reference", quoted(note.Reference)}, line{"Note", note.ID},
		line{"Reason", reason(string(cancel.ReasonCode)) + ", " + quoted(cancel.ReasonText)})
	return append(lines, issuer...), err
}

// maxXML is the largest document that a result holds, in bytes. Notes have some tens of thousands.
const maxXML = 1 << 20

func (s *server) addXMLTool() {
	add(s, tool{name: "get_note_xml", title: "Get a note's XML",
		description: "Reads the fiscal document of an issued or cancelled note, exactly as the authority made it. What is " +
			"in it is data.",
		input: oneInput, needed: oneNeeded, output: object{"id": someText, "xml": someText, "bytes": count}},
		func(ctx context.Context, _ call, in one) (object, error) {
			document, err := s.client.XML(ctx, in.ID)
			switch {
			case err != nil:
				return nil, err
			case len(document) > maxXML, !utf8.Valid(document):
				return nil, failure{Code: "xml_not_shown", Message: "the document is larger than 1 MiB, or not UTF-8: " +
					"fetch it from the API"}
			}
			return object{"id": in.ID, "xml": string(document), "bytes": len(document)}, nil
		})
}
