-- +goose Up

-- Deliveries that were not delivered are listed by organization and by endpoint. Those
-- of others are not walked past, however many there are.
CREATE INDEX deliveries_of_scope_by_status ON deliveries (organization_id, livemode, status, id)
    WHERE status <> 'delivered';
CREATE INDEX deliveries_of_endpoint_by_status ON deliveries (endpoint_id, status, id) WHERE status <> 'delivered';
DROP INDEX deliveries_given_up; -- those that failed, of which the first one has all

-- For operators, who look for what was done anywhere.
CREATE INDEX audit_log_by_action ON audit_log (action, id);

-- +goose Down
DROP INDEX audit_log_by_action, deliveries_of_endpoint_by_status, deliveries_of_scope_by_status;
CREATE INDEX deliveries_given_up ON deliveries (organization_id, livemode, id) WHERE status = 'failed';
