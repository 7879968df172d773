package main

import "emissor/test/simulators/saopaulo"

// checkSaoPaulo compares what the city of São Paulo issued and cancelled with what we believe. An RPS
// that is sent again cancels what it made: nothing may be cancelled by that.
func (f *findings) checkSaoPaulo() {
	issued := map[string]saopaulo.Entry{}
	for _, entry := range f.inCity {
		issued[entry.NationalKey] = entry
		if entry.CancelledBy == saopaulo.ByResend {
			f.violate(neverSentAgain, "the note %d of %s was cancelled by a second sending of its RPS %s", entry.Number,
				entry.Registration, entry.RPSNumber)
		}
	}
	for id, note := range f.notes {
		entry, exists := issued[note.AccessKey]
		if !exists || note.IssuedAt == nil {
			continue
		}
		delete(issued, note.AccessKey)
		switch {
		case entry.RPSNumber != note.Number:
			f.violate(authorityAgrees, "%s has the key %s, of another RPS", id, note.AccessKey)
		case entry.Cancelled != (note.Status == "cancelled"):
			f.violate(authorityAgrees, "%s is %s, and in São Paulo cancelled: %v", id, note.Status, entry.Cancelled)
		}
	}
	for key, entry := range issued {
		f.violate(authorityAgrees, "São Paulo has issued %s (RPS %s of %s), and no issued note knows of it", key,
			entry.RPSNumber, entry.Registration)
	}
}

// knownInSaoPaulo reports whether a key is of a note of São Paulo.
func (f *findings) knownInSaoPaulo(key string) bool {
	for _, entry := range f.inCity {
		if entry.NationalKey == key {
			return true
		}
	}
	return false
}
