package main

import (
	"context"
	"fmt"
	"net/http"
	"unicode/utf8"

	"emissor/internal/text"
	"emissor/test/generate"
)

// takers issues notes of texts as the generator of tests makes them: every second note to a taker of its
// own, with e-mail and address, the others to some takers in turn.
type takers struct {
	caller
	generator *generate.Generator
	regulars  []string // ids
}

// regularTakers are how many takers have many notes each.
const regularTakers = 50

func (c caller) newTakers() *takers { return &takers{caller: c, generator: generate.New(25)} }

// issue has so many notes accepted.
func (t *takers) issue(ctx context.Context, count int) error {
	for len(t.regulars) < regularTakers {
		id, err := t.newTaker(ctx, t.newPerson())
		if err != nil {
			return err
		}
		t.regulars = append(t.regulars, id)
	}
	// The generator is for one goroutine; its bodies are made beforehand, so that many can be sent at once.
	type request struct{ taker, issuance generate.Body }
	requests := make([]request, count)
	for n := range requests {
		if n%2 == 0 {
			requests[n].taker = t.newPerson()
		}
		requests[n].issuance = t.newIssuance(t.regulars[n/2%len(t.regulars)])
	}
	return each(ctx, count, costClients, func(ctx context.Context, n int) error {
		if requests[n].taker != nil {
			id, err := t.newTaker(ctx, requests[n].taker)
			if err != nil {
				return err
			}
			requests[n].issuance["customer_id"] = id
		}
		answer, err := t.api.Call(ctx, http.MethodPost, "/v1/nfse", requests[n].issuance)
		if err == nil && answer.Status != http.StatusAccepted {
			err = fmt.Errorf("POST /v1/nfse answered %d: %s", answer.Status, answer.Body)
		}
		return err
	})
}

// newPerson is a taker that a document has room for: its writing of other alphabets may be longer, or nothing.
func (t *takers) newPerson() generate.Body {
	for {
		person := t.generator.Person()
		body := t.generator.Customer(person, true)
		address := body["address"].(generate.Body)
		body["email"] = t.generator.Email()
		kind, _ := address["street_type"].(string)
		complement, _ := address["complement"].(string)
		fits := person.Place.Known && fits(person.Name, 150) && fits(address["number"], 60) && // nobody knows other places
			fits(address["district"], 60) && fits(kind+" "+address["street"].(string), 255) &&
			(complement == "" || fits(complement, 156))
		if fits {
			return body
		}
	}
}

// newIssuance is a note to a taker, with an amount and a description that every document has room for.
func (t *takers) newIssuance(taker string) generate.Body {
	for {
		body := t.generator.IssuanceTo(t.service, taker)
		body["amount_cents"] = 100 + t.generator.Int64N(1_000_000)
		delete(body, "iss_withheld")
		service, described := body["service"].(generate.Body)
		if !described || fits(service["description"], 2000) {
			return body
		}
	}
}

// fits reports whether a document can carry a text, at most so many characters long.
func fits(value any, most int) bool {
	length := utf8.RuneCountInString(text.Lines(value.(string)))
	return length > 0 && length <= most
}

func (t *takers) newTaker(ctx context.Context, body generate.Body) (id string, err error) {
	var created struct{ ID string }
	err = t.api.Must(ctx, http.MethodPost, "/v1/customers", body, &created)
	return created.ID, err
}
