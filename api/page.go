package api

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"emissor/internal/web"
	"emissor/nfse"
	"emissor/store/postgres"
)

const (
	defaultLimit = 10
	maxLimit     = 100
)

// readPage reads limit and starting_after. A wrong or unknown parameter is an error, as
// callers would rely on a filter that is ignored.
func readPage(r *http.Request, prefix nfse.Prefix) (postgres.Page, error) {
	page := postgres.Page{Limit: defaultLimit}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return page, nfse.Invalid("", "the query of the address is malformed")
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if name != "limit" && name != "starting_after" {
			return page, nfse.Invalid(name, "%s is not a parameter of this list", quoted(name))
		}
		if len(query[name]) != 1 {
			return page, nfse.Invalid(name, "%s must be sent once", name)
		}
	}
	if query.Has("limit") {
		limit, err := strconv.Atoi(query.Get("limit"))
		if err != nil || limit < 1 || limit > maxLimit {
			return page, nfse.Invalid("limit", "limit must be an integer from 1 to %d", maxLimit)
		}
		page.Limit = limit
	}
	if query.Has("starting_after") {
		page.After = query.Get("starting_after")
		if !nfse.IsID(prefix, page.After) {
			return page, nfse.Invalid("starting_after", "starting_after must be the next_cursor of a page of this list")
		}
	}
	return page, nil
}

// writePage writes a page object; last is the id of its last record.
func writePage(w http.ResponseWriter, data any, more bool, last func() string) error {
	var page struct {
		Data       any     `json:"data"`
		NextCursor *string `json:"next_cursor"`
	}
	page.Data = data
	if more {
		cursor := last()
		page.NextCursor = &cursor
	}
	return web.WriteJSON(w, http.StatusOK, page)
}
