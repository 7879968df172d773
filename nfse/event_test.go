package nfse_test

import (
	"strings"
	"testing"

	"emissor/nfse"
)

// The bytes are signed and sent to subscribers: their order and spelling are
// part of the contract.
func TestEvent_Bytes(t *testing.T) {
	for eventType, name := range map[nfse.EventType]string{
		nfse.EventIssued: "nfse.issued", nfse.EventRejected: "nfse.rejected", nfse.EventCancelled: "nfse.cancelled",
	} {
		event, err := nfse.NewEvent(eventType, fullNote(), at)
		if err != nil {
			t.Fatal(err)
		}
		if !nfse.IsID(nfse.PrefixEvent, event.ID) || event.Type != eventType || event.NoteID != "nfse_02" ||
			event.CreatedAt != at {
			t.Errorf("the event is %+v", event)
		}
		expected := `{"id":"` + event.ID + `","type":"` + name + `","api_version":"v1","livemode":true,` +
			`"created_at":"2026-11-21T12:30:05.007Z","data":{"object":` + fullNoteJSON + `}}`
		if string(event.Payload) != expected {
			t.Errorf("the payload is\n%s\nexpected\n%s", event.Payload, expected)
		}
	}
}

func TestEvent_OfATestNote(t *testing.T) {
	event, err := nfse.NewEvent(nfse.EventIssued, queuedNote(), at)
	if err != nil || !strings.Contains(string(event.Payload), `"api_version":"v1","livemode":false,`) {
		t.Errorf("%s: %v", event.Payload, err)
	}
}

func TestMarshal(t *testing.T) {
	printed, err := nfse.Marshal(map[string]any{"a": "<&>'é\"\n", "b": []int{1}})
	if err != nil || string(printed) != `{"a":"<&>'é\"\n","b":[1]}` {
		t.Errorf("%s: %v", printed, err)
	}
	if _, err := nfse.Marshal(func() {}); err == nil {
		t.Error("what cannot be printed is no error")
	}
}
