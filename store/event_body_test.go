package store_test

import (
	"bytes"
	"testing"

	"emissor/nfse/fact"
)

// The body of an event that is no longer kept is sent as the same bytes, or not at all.
func TestEventBody_MadeAnew(t *testing.T) {
	n := newTenant(t)
	n.addEndpoint(t)
	id := n.begin(t, "issued")
	_, err := n.settleIssued(t, n.Store, id)
	must(t, err)
	delivery := n.Text(t, `SELECT id FROM deliveries`)
	sent, err := n.Store.Webhooks.DeliveryToSend(t.Context(), delivery)
	if err != nil || len(sent.Payload) == 0 {
		t.Fatalf("there is nothing to send: %+v, %v", sent, err)
	}
	n.Exec(t, `UPDATE events SET payload = ''`)
	n.cancel(t, id) // what comes later is not in the event
	found, err := n.Store.Webhooks.DeliveryToSend(t.Context(), delivery)
	if err != nil || !bytes.Equal(found.Payload, sent.Payload) {
		t.Errorf("made anew it is\n%s\nsent was\n%s\n%v", found.Payload, sent.Payload, err)
	}
	n.Exec(t, `UPDATE notes SET customer = customer || '{"name": "Outra"}'`)
	found, err = n.Store.Webhooks.DeliveryToSend(t.Context(), delivery)
	if err != nil || !found.EndpointState.Is(fact.DeliveryContentGone) || len(found.Payload) != 0 {
		t.Errorf("of a note that was changed it is %s, %s, %v", found.Payload, found.EndpointState, err)
	}
}
