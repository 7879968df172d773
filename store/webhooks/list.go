package webhooks

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/lib/pq"

	"emissor/nfse"
	"emissor/store/postgres"
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

// SearchDeliveries lists the chosen deliveries: it finds their ids, and reads only then what belongs to those of the
// page, each by its key.
func (s *Store) SearchDeliveries(
	ctx context.Context, scope nfse.Scope, search DeliverySearch,
) (page DeliveryPage, err error) {
	cursor := postgres.Cursor{After: search.After, Before: search.Before, Limit: search.Limit}
	lowest, highest := postgres.IDRange(nfse.PrefixDelivery, search.Since, time.Time{}, cursor)
	list := s.db.SelectContext
	if search.rare() {
		list = s.db.All
	}
	ids, err := postgres.RowsInPeriods(nfse.PrefixDelivery, lowest, highest, cursor,
		func(lowest, highest string, rows int) (ids []string, err error) {
			query, args, err := s.db.BindNamed(search.query(cursor), map[string]any{
				"organization": scope.OrganizationID, "livemode": scope.Livemode, "lowest": lowest, "highest": highest,
				"status": string(search.Status), "endpoint": search.EndpointID, "rows": rows,
			})
			if err == nil {
				err = list(ctx, &ids, query, args...)
			}
			return ids, err
		})
	if err != nil {
		return page, err
	}
	ids, page.Newer, page.Older = postgres.NewestFirst(ids, cursor)
	page.Deliveries, err = s.deliveriesByID(ctx, ids)
	return page, err
}

// FailuresCounted is how many failed deliveries of an endpoint are counted at most.
const FailuresCounted = 1000

// FailedDeliveries counts the deliveries to endpoints that were given up in the last 30 days and not delivered since,
// by the ids of the endpoints: at most one more than FailuresCounted of each.
func (s *Store) FailedDeliveries(ctx context.Context, endpoints []string) (map[string]int, error) {
	var rows []struct {
		ID    string `db:"id"`
		Count int    `db:"count"`
	}
	err := s.db.SelectContext(ctx, &rows, `
		SELECT id, (SELECT count(*) FROM (SELECT FROM deliveries WHERE endpoint_id = endpoint.id AND status = 'failed'
			AND id >= $2 LIMIT $3) newest) AS count FROM unnest($1::text[]) endpoint (id)`, pq.Array(endpoints),
		nfse.FirstID(nfse.PrefixDelivery, time.Now().Add(-FailedLately)), FailuresCounted+1)
	counts := map[string]int{}
	for _, row := range rows {
		counts[row.ID] = row.Count
	}
	return counts, err
}

// DeliveriesCounted is how many deliveries of an endpoint are counted at most: its newest.
const DeliveriesCounted = 100

// DeliveryCounts are the newest deliveries of an endpoint by their state.
type DeliveryCounts struct {
	EndpointID string `db:"id"`
	Delivered  int64  `db:"delivered"`
	Pending    int64  `db:"pending"`
	Failed     int64  `db:"failed"` // those that were given up
}

// CountDeliveries counts the newest deliveries of the last 30 days to endpoints, in the order of their ids here.
func (s *Store) CountDeliveries(ctx context.Context, endpoints []string) (counts []DeliveryCounts, err error) {
	err = s.db.SelectContext(ctx, &counts, `
		SELECT endpoint.id, counted.* FROM unnest($1::text[]) WITH ORDINALITY endpoint (id, place)
		CROSS JOIN LATERAL (
			SELECT count(*) FILTER (WHERE status = 'delivered') AS delivered,
				count(*) FILTER (WHERE status = 'pending') AS pending, count(*) FILTER (WHERE status = 'failed') AS failed
			FROM (SELECT status FROM deliveries WHERE endpoint_id = endpoint.id AND id >= $3
				ORDER BY endpoint_id DESC, id DESC LIMIT $2) newest) counted
		ORDER BY place`, pq.Array(endpoints), DeliveriesCounted,
		nfse.FirstID(nfse.PrefixDelivery, time.Now().Add(-FailedLately)))
	return counts, err
}

// deliveriesByID reads deliveries by their ids, newest first. Where a delivery was made, there is its event; its
// attempts came later. With plain joins the planner might read all events for the rows of a page.
func (s *Store) deliveriesByID(ctx context.Context, ids []string) (deliveries []Delivery, err error) {
	deliveries = []Delivery{}
	if len(ids) == 0 {
		return deliveries, nil
	}
	oldest, newest := slices.Min(ids), slices.Max(ids)
	fromEvent, _ := postgres.IDBounds(oldest, nfse.PrefixDelivery, nfse.PrefixEvent)
	_, toEvent := postgres.IDBounds(newest, nfse.PrefixDelivery, nfse.PrefixEvent)
	made, _ := nfse.TimeOf(nfse.PrefixDelivery, oldest)
	err = s.db.SelectContext(ctx, &deliveries, deliveryColumns+`
		FROM unnest($1::text[]) AS chosen (id)
		CROSS JOIN LATERAL (SELECT * FROM deliveries WHERE id = chosen.id AND id >= $2 AND id <= $3 LIMIT 1) d
		CROSS JOIN LATERAL (SELECT * FROM events WHERE id = d.event_id AND id >= $4 AND id < $5 LIMIT 1) e
		CROSS JOIN LATERAL (SELECT url, listener_key_id FROM webhook_endpoints WHERE id = d.endpoint_id LIMIT 1) w
		CROSS JOIN LATERAL (`+attemptsOf+` AND id >= $6) made`,
		pq.Array(ids), oldest, newest, fromEvent, toEvent, postgres.FirstNumber(made.Add(-postgres.MadeTogether)))
	slices.SortFunc(deliveries, func(a, b Delivery) int { return strings.Compare(b.ID, a.ID) })
	return deliveries, err
}

// rare reports whether few deliveries are in the state that is asked for, which have an index of their own. They may be
// of any time, so that the search is planned once for all parts, and not for each page.
func (f DeliverySearch) rare() bool { return f.Status != "" && f.Status != DeliveryDelivered }

// query finds ids along one index: of the scope or of an endpoint, and by state too where a state other than
// delivered is asked for.
func (f DeliverySearch) query(cursor postgres.Cursor) string {
	direction := cursor.Direction()
	where := []string{`id >= :lowest`, `id < :highest`} // which says in which parts they are
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
	if f.rare() {
		// With equalities the reading ends where the state ends, and the planner uses the partial index.
		where = append(where, `status <> 'delivered'`)
		for i, column := range columns {
			where = append(where, column+` = `+values[i])
		}
		order = []string{"id"}
	} else { // a range, as in InPage, so that the planner uses the index
		place, from := `(`+strings.Join(order, ", ")+`)`, strings.Join(values, ", ")
		where = append(where, place+` >= (`+from+`, :lowest)`, place+` < (`+from+`, :highest)`)
	}
	return `SELECT id FROM deliveries WHERE ` + strings.Join(where, ` AND `) +
		` ORDER BY ` + strings.Join(order, direction+`, `) + direction + ` LIMIT :rows`
}
