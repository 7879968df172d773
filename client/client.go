package client

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Client calls the API. A body that is a json.RawMessage is sent byte for byte, as a caller has stored it before. It is
// safe for concurrent use.
type Client struct{ *Connection }

// New makes a client of the API. Its error says what is wrong with the URL, and does not repeat it.
func New(options Options) (*Client, error) {
	connection, err := Connect(options)
	if err == nil && strings.HasSuffix(strings.TrimRight(connection.base.Path, "/"), "/v1") {
		err = wrongURL{errors.New("must be without /v1, which is part of each request's path")}
	}
	if err != nil {
		return nil, err
	}
	return &Client{connection}, nil
}

// Timestamp is a moment as the API writes it: in UTC, with milliseconds.
type Timestamp struct{ time.Time }

// String implements fmt.Stringer.
func (t Timestamp) String() string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// MarshalJSON implements json.Marshaler.
func (t Timestamp) MarshalJSON() ([]byte, error) { return []byte(`"` + t.String() + `"`), nil }

// Page says which part of a list is asked for.
type Page struct {
	Limit         int    // 1 to 100; the API's 10 when zero
	StartingAfter string // the cursor of the page before; empty is the newest
}

// List is a page of records, newest first.
type List[T any] struct {
	Data       []T     `json:"data"`
	NextCursor *string `json:"next_cursor"` // nil on the last page
}

// Health asks whether the API and its database answer. An error is why not.
func (c *Client) Health(ctx context.Context) error {
	_, err := c.Do(ctx, Call{Method: http.MethodGet, Path: "/v1/health", Repeatable: true})
	return err
}

// Issue issues a note from a CreateNfse or a json.RawMessage. Its reference makes it safe to repeat: one note exists
// for it, no matter what was answered.
func (c *Client) Issue(ctx context.Context, body any) (NfseAccepted, error) {
	return send[NfseAccepted](ctx, c, http.MethodPost, "/v1/nfse", body, true)
}

// Notes lists the notes of the key's environment.
func (c *Client) Notes(ctx context.Context, page Page) (List[Nfse], error) {
	return list[Nfse](ctx, c, "/v1/nfse", page)
}

// Note reads one note.
func (c *Client) Note(ctx context.Context, id string) (Nfse, error) {
	return get[Nfse](ctx, c, "/v1/nfse"+segment(id), nil)
}

// CancelNote asks for a note's cancellation, which is pending in what it returns unless the note is cancelled already.
// The same request twice is one.
func (c *Client) CancelNote(ctx context.Context, id string, body CancelNfse) (Nfse, error) {
	return send[Nfse](ctx, c, http.MethodPost, "/v1/nfse"+segment(id)+"/cancel", body, true)
}

// XML reads a note's document: the authority's exact bytes. Until there is one the error is xml_not_available.
func (c *Client) XML(ctx context.Context, id string) ([]byte, error) {
	answer, err := c.Do(ctx, Call{Method: http.MethodGet, Path: "/v1/nfse" + segment(id) + "/xml", Repeatable: true})
	if err != nil {
		return nil, err
	}
	return answer.Body, nil
}

// Services lists the catalogue of the key's environment.
func (c *Client) Services(ctx context.Context, page Page) (List[Service], error) {
	return list[Service](ctx, c, "/v1/services", page)
}

// Service reads one service.
func (c *Client) Service(ctx context.Context, id string) (Service, error) {
	return get[Service](ctx, c, "/v1/services"+segment(id), nil)
}

// CreateService creates a service from a CreateService or a json.RawMessage. It is not repeated when nobody knows what
// became of it: each creation makes another service.
func (c *Client) CreateService(ctx context.Context, body any) (Service, error) {
	return send[Service](ctx, c, http.MethodPost, "/v1/services", body, false)
}

// UpdateService changes a service by an UpdateService, or by a json.RawMessage, in which null unsets a field.
func (c *Client) UpdateService(ctx context.Context, id string, body any) (Service, error) {
	return send[Service](ctx, c, http.MethodPatch, "/v1/services"+segment(id), body, true)
}

// Customers lists the customers of the key's environment.
func (c *Client) Customers(ctx context.Context, page Page) (List[Customer], error) {
	return list[Customer](ctx, c, "/v1/customers", page)
}

// Customer reads one customer.
func (c *Client) Customer(ctx context.Context, id string) (Customer, error) {
	return get[Customer](ctx, c, "/v1/customers"+segment(id), nil)
}

// SaveCustomer creates the customer, or synchronizes the one that has its document, from a CreateCustomer or a
// json.RawMessage. Doing it twice is doing it once.
func (c *Client) SaveCustomer(ctx context.Context, body any) (Customer, error) {
	return send[Customer](ctx, c, http.MethodPost, "/v1/customers", body, true)
}

// UpdateCustomer changes a customer by an UpdateCustomer, or by a json.RawMessage, in which null unsets a field.
func (c *Client) UpdateCustomer(ctx context.Context, id string, body any) (Customer, error) {
	return send[Customer](ctx, c, http.MethodPatch, "/v1/customers"+segment(id), body, true)
}

// get reads one record or page.
func get[T any](ctx context.Context, c *Client, path string, query url.Values) (record T, err error) {
	err = c.JSON(ctx, Call{Method: http.MethodGet, Path: path, Query: query, Repeatable: true}, &record)
	return record, err
}

func list[T any](ctx context.Context, c *Client, path string, page Page) (List[T], error) {
	query := url.Values{}
	if page.Limit != 0 {
		query.Set("limit", strconv.Itoa(page.Limit))
	}
	if page.StartingAfter != "" {
		query.Set("starting_after", page.StartingAfter)
	}
	return get[List[T]](ctx, c, path, query)
}

// send sends a body and reads the record of the answer.
func send[T any](
	ctx context.Context, c *Client, method, path string, body any, repeatable bool,
) (record T, err error) {
	err = c.JSON(ctx, Call{Method: method, Path: path, Body: body, Repeatable: repeatable}, &record)
	return record, err
}

// segment is an id, or what was given for one, as one part of a path.
func segment(id string) string { return "/" + url.PathEscape(id) }
