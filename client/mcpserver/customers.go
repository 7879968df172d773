package mcpserver

import (
	"context"
	"encoding/json"
	"strings"

	"emissor/client"
	"emissor/internal/text"
)

func (s *server) addCustomerTools() {
	add(s, tool{name: "list_customers", title: "List customers", description: "Lists the customers, newest first.",
		input: page(customerIDSchema), output: object{"customers": list(customerRecord), "next_cursor": nextCursor}},
		func(ctx context.Context, _ call, in pageOf) (object, error) {
			found, err := s.client.Customers(ctx, in.page())
			return object{"customers": found.Data, "next_cursor": found.NextCursor}, err
		})
	add(s, tool{name: "find_customers", title: "Find customers",
		description: "Looks for customers by CPF or CNPJ, or by a part of the name, among the newest 1000 behind " +
			"starting_after. What was not looked at begins at next_cursor.",
		input: object{"document": documentSchema, "name": textOf(1, 150, "part of the name, in any letter case"),
			"starting_after": said(customerIDSchema, "next_cursor of the search before")},
		output: object{"customers": list(customerRecord), "looked_at": count, "next_cursor": nextCursor}},
		func(ctx context.Context, _ call, in customerSearch) (object, error) {
			if in.Document == "" && in.Name == "" {
				return nil, failure{Code: "invalid_arguments", Field: "document", Message: "document or name must be given"}
			}
			found, err := search(ctx, in.StartingAfter, s.client.Customers, in.matches,
				func(customer client.Customer) string { return customer.ID }, mostFound)
			return object{"customers": found.records, "looked_at": found.lookedAt, "next_cursor": found.next}, err
		})
	add(s, tool{name: "save_customer", title: "Create or update a customer", act: true, again: true, removes: true,
		description: "Creates the customer, or updates the one that has this document: what is sent replaces what is on " +
			"record, what is left out stays. An address is complete with zip_code, street, number and district.",
		input: object{
			"document": documentSchema, "name": customerName, "nickname": textOf(1, 80, "trade name"),
			"email":             emailSchema,
			"municipality_code": said(municipalitySchema, "IBGE code; the zip code's when left out"),
			"address":           closed(addressProperties),
		},
		needed: []string{"document", "name"}, output: object{"customer": customerRecord}},
		func(ctx context.Context, c call, in json.RawMessage) (object, error) {
			err := s.confirm(ctx, c, "Create or update this customer in the live environment?",
				func(ctx context.Context) ([]line, error) { return s.aboutCustomer(ctx, in) })
			if err != nil {
				return nil, err
			}
			saved, err := s.client.SaveCustomer(ctx, in)
			return object{"customer": saved}, err
		})
}

// aboutCustomer is what a person sees of a customer that is saved.
func (s *server) aboutCustomer(ctx context.Context, in json.RawMessage) ([]line, error) {
	var customer client.CreateCustomer
	if err := json.Unmarshal(in, &customer); err != nil {
		return nil, err
	}
	lines := []line{{"Customer", party(customer.Name, customer.Document)}, {"Nickname", optional(customer.Nickname)},
		{"E-mail", optional(customer.Email)}, {"Municipality", optional(customer.MunicipalityCode)}}
	if at := customer.Address; at != nil {
		lines = append(lines, line{"Street type", optional(at.StreetType)}, line{"Street", optional(at.Street)},
			line{"Number", optional(at.Number)}, line{"Complement", optional(at.Complement)},
			line{"District", optional(at.District)}, line{"Zip code", optional(at.ZipCode)})
	}
	issuer, err := s.issuer(ctx, "")
	return append(lines, issuer...), err
}

// customerSearch is what a customer is looked for by.
type customerSearch struct {
	Document      string `json:"document"`
	Name          string `json:"name"`
	StartingAfter string `json:"starting_after"`
}

func (q customerSearch) matches(customer client.Customer) bool {
	return (q.Document == "" || sameDocument(q.Document, customer.Document)) &&
		strings.Contains(text.Folded(customer.Name), text.Folded(q.Name))
}

// sameDocument compares a CPF or CNPJ as it was typed with one on record.
func sameDocument(typed, id string) bool {
	plain := strings.NewReplacer(".", "", "-", "", "/", "").Replace(typed)
	return strings.EqualFold(plain, id)
}

// How much a search reads.
const (
	mostFound    = 50   // records that it returns
	mostLookedAt = 1000 // records that it looks at
	searchPage   = 100
)

// found is what a search found.
type found[T any] struct {
	records  []T
	lookedAt int
	next     *string // where the search goes on; nil when all was looked at
}

// search looks through a list, newest first, until enough was found or looked at. The API lists
// without filters, so that the looking is done here.
func search[T any](
	ctx context.Context, after string, list func(context.Context, client.Page) (client.List[T], error),
	matches func(T) bool, id func(T) string, most int,
) (found[T], error) {
	result := found[T]{records: []T{}}
	for page := (client.Page{Limit: searchPage, StartingAfter: after}); ; {
		read, err := list(ctx, page)
		if err != nil {
			return result, err
		}
		for i, record := range read.Data {
			result.lookedAt++
			if matches(record) {
				result.records = append(result.records, record)
			}
			rest := i+1 < len(read.Data) || read.NextCursor != nil
			if (len(result.records) == most || result.lookedAt == mostLookedAt) && rest {
				result.next = new(id(record))
				return result, nil
			}
		}
		if read.NextCursor == nil {
			return result, nil
		}
		page.StartingAfter = *read.NextCursor
	}
}
