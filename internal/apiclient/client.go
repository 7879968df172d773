package apiclient

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
)

// Client calls the API. Records are those of package nfse, as the API writes them. It is safe
// for concurrent use.
type Client struct{ *Connection }

// NewClient makes a client of the API behind a connection.
func NewClient(connection *Connection) *Client { return &Client{connection} }

// Page says which part of a list is asked for.
type Page struct {
	Limit         int    // 1 to 100; the API's 10 when zero
	StartingAfter string // the cursor of the page before; empty is the newest
}

func (p Page) query() url.Values {
	query := url.Values{}
	if p.Limit != 0 {
		query.Set("limit", strconv.Itoa(p.Limit))
	}
	if p.StartingAfter != "" {
		query.Set("starting_after", p.StartingAfter)
	}
	return query
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

// get reads one record or page.
func get[T any](ctx context.Context, c *Client, path string, query url.Values) (T, error) {
	var record T
	err := c.JSON(ctx, Call{Method: http.MethodGet, Path: path, Query: query, Repeatable: true}, &record)
	return record, err
}

// post sends a body and reads the record of the answer.
func post[T any](ctx context.Context, c *Client, path string, body any, repeatable bool) (T, error) {
	var record T
	err := c.JSON(ctx, Call{Method: http.MethodPost, Path: path, Body: body, Repeatable: repeatable}, &record)
	return record, err
}

// segment is an id, or what was given for one, as one part of a path.
func segment(id string) string { return "/" + url.PathEscape(id) }
