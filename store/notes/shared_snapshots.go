package notes

import (
	"crypto/sha256"
	"encoding/json"

	"emissor/nfse"
)

// NoteService is the snapshot of the service of notes, or of what has their columns: their own, or that which they
// share with others and their own description.
const NoteService = `coalesce(service, (SELECT s.service || jsonb_build_object('description', service_description)
	FROM service_snapshots s WHERE s.id = service_snapshot_id))`

// ExchangeProfile is the profile of an exchange f: its own, or that which it shares with others.
const ExchangeProfile = `coalesce(f.profile, (SELECT p.profile FROM exchange_profiles p WHERE p.id = f.profile_id))`

// SharedService is the part of a note's service that others have alike, and its digest.
func SharedService(service nfse.ServiceSnapshot) (shared string, digest []byte, err error) {
	encoded, err := nfse.Marshal(service)
	if err != nil {
		return "", nil, err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(encoded, &members); err != nil {
		return "", nil, err
	}
	delete(members, "description")
	encoded, err = nfse.Marshal(members) // whose members are in the order of their names
	sum := sha256.Sum256(encoded)
	return string(encoded), sum[:], err
}
