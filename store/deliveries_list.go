package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"emissor/nfse"
)

// DeliverySearch chooses deliveries of a scope for a person who looks through them.
// Zero fields choose all. A period is a range of ids, which are ordered by time.
type DeliverySearch struct {
	Status     DeliveryStatus
	EndpointID string
	Since      time.Time // of the event
	After      string    // an id: only older ones
	Before     string    // an id: only newer ones, the oldest of them
	Limit      int
}

// DeliveryPage is a page of deliveries, newest first.
type DeliveryPage struct {
	Deliveries []Delivery
	Newer      bool // there are deliveries before the first
	Older      bool // there are deliveries after the last
}

// SearchDeliveries lists the chosen deliveries.
func (s *Store) SearchDeliveries(
	ctx context.Context, scope nfse.Scope, search DeliverySearch,
) (page DeliveryPage, err error) {
	query, args, err := s.db.BindNamed(search.query(), search.parameters(scope))
	if err != nil {
		return page, err
	}
	deliveries := []Delivery{}
	if err := s.db.SelectContext(ctx, &deliveries, query, args...); err != nil {
		return page, err
	}
	var more bool
	page.Deliveries, more = cut(deliveries, search.Limit)
	if search.Before != "" {
		slices.Reverse(page.Deliveries)
		page.Newer, page.Older = more, true
	} else {
		page.Newer, page.Older = search.After != "", more
	}
	return page, nil
}

// deliveryLookups read what belongs to each delivery d by its key. With plain joins the
// planner might read all events for the rows of a page.
const deliveryLookups = `
	CROSS JOIN LATERAL (SELECT * FROM events WHERE id = d.event_id LIMIT 1) e
	CROSS JOIN LATERAL (SELECT url, listener_key_id FROM webhook_endpoints WHERE id = d.endpoint_id LIMIT 1) w` +
	madeAttempts

// query reads along one index: of the scope or of an endpoint, and by state too where a
// state other than delivered is asked for. What belongs to a delivery is read for the rows
// of the page only.
func (f DeliverySearch) query() string {
	direction := " DESC"
	if f.Before != "" {
		direction = ""
	}
	var where []string
	columns, values := []string{"organization_id", "livemode"}, []string{":organization", ":livemode"}
	if f.EndpointID != "" { // which is of one scope
		columns, values = []string{"endpoint_id"}, []string{":endpoint"}
		where = append(where, `EXISTS (SELECT FROM webhook_endpoints
			WHERE id = :endpoint AND organization_id = :organization AND livemode = :livemode)`)
	}
	order := append(columns, "id")
	if f.Status != "" {
		where = append(where, `status = :status`)
	}
	if rare := f.Status != "" && f.Status != DeliveryDelivered; rare {
		// With equalities the reading ends where the state ends, and the planner uses the partial index.
		where = append(where, `status <> 'delivered'`, `id >= :lowest`, `id < :highest`)
		for i, column := range columns {
			where = append(where, column+` = `+values[i])
		}
		order = []string{"id"}
	} else { // a range, as in inPage, so that the planner uses the index
		place, from := `(`+strings.Join(order, ", ")+`)`, strings.Join(values, ", ")
		where = append(where, place+` >= (`+from+`, :lowest)`, place+` < (`+from+`, :highest)`)
	}
	ordered := func(prefix string) string {
		return ` ORDER BY ` + prefix + strings.Join(order, direction+`, `+prefix) + direction
	}
	return deliveryColumns + ` FROM (SELECT * FROM deliveries WHERE ` + strings.Join(where, ` AND `) + ordered("") +
		` LIMIT :rows) d` + deliveryLookups + ordered("d.")
}

func (f DeliverySearch) parameters(scope nfse.Scope) map[string]any {
	lowest, highest := nfse.FirstID(nfse.PrefixDelivery, f.Since), "~"
	if f.Before != "" {
		lowest = max(lowest, f.Before+"!") // the first text after it
	}
	if f.After != "" {
		highest = f.After
	}
	return map[string]any{
		"organization": scope.OrganizationID, "livemode": scope.Livemode, "lowest": lowest, "highest": highest,
		"status": string(f.Status), "endpoint": f.EndpointID, "rows": f.Limit + 1,
	}
}
