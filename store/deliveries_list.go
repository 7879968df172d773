package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"emissor/nfse"
)

// DeliverySearch chooses deliveries of a scope for a person who looks through them.
// Zero fields choose all. A period is one of ids, which are ordered by time.
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
	Older      bool // there are deliveries behind the last
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

// query walks one index: of the scope, of an endpoint, or of those that were not
// delivered. What belongs to each is read for the rows of the page alone.
func (f DeliverySearch) query() string {
	direction := " DESC"
	if f.Before != "" {
		direction = ""
	}
	where := []string{`organization_id = :organization AND livemode = :livemode AND id >= :lowest AND id < :highest`}
	order := "id" + direction
	if f.EndpointID == "" && (f.Status == "" || f.Status == DeliveryDelivered) {
		// As in inPage, so that the planner keeps to the scope.
		where = []string{`(organization_id, livemode, id) >= (:organization, :livemode, :lowest)`,
			`(organization_id, livemode, id) < (:organization, :livemode, :highest)`}
		order = "organization_id" + direction + ", livemode" + direction + ", id" + direction
	}
	if f.EndpointID != "" {
		where = append(where, `endpoint_id = :endpoint`)
	}
	if f.Status != "" {
		where = append(where, `status = :status`)
	}
	if f.Status != "" && f.Status != DeliveryDelivered {
		where = append(where, `status <> 'delivered'`) // so that the planner sees that the index holds them
	}
	return deliveryColumns + ` FROM (SELECT * FROM deliveries WHERE ` + strings.Join(where, ` AND `) +
		` ORDER BY ` + order + ` LIMIT :rows) d` + deliveryJoins + ` ORDER BY d.id` + direction
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
