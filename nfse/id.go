package nfse

import (
	"encoding/binary"
	"strings"
	"time"

	"github.com/google/uuid"
)

// Prefix is the beginning of an id: the kind of record that it names.
type Prefix string

// The kinds of ids.
const (
	PrefixOrganization  Prefix = "org_"
	PrefixAPIKey        Prefix = "key_"
	PrefixService       Prefix = "srv_"
	PrefixCustomer      Prefix = "cus_"
	PrefixNote          Prefix = "nfse_"
	PrefixEvent         Prefix = "evt_"
	PrefixEndpoint      Prefix = "whe_"
	PrefixDelivery      Prefix = "dlv_"
	PrefixRequest       Prefix = "req_"
	PrefixCertificate   Prefix = "crt_"
	PrefixEmail         Prefix = "eml_"
	PrefixAlertMail     Prefix = "alm_"
	PrefixLedgerEntry   Prefix = "led_"
	PrefixArchive       Prefix = "zip_" // of a month's documents
	PrefixAuditEntry    Prefix = "aud_"
	PrefixUser          Prefix = "usr_"
	PrefixPasskey       Prefix = "psk_"
	PrefixLink          Prefix = "lnk_"
	PrefixSession       Prefix = "ses_"
	PrefixEdition       Prefix = "edi_"
	PrefixCityTable     Prefix = "cty_"
	PrefixCityLogin     Prefix = "lgn_"
	PrefixDistribution  Prefix = "dst_"
	PrefixWork          Prefix = "wrk_"
	PrefixBatch         Prefix = "bat_" // of a spreadsheet of notes
	PrefixSavedFilter   Prefix = "flt_" // of a person, of the list of notes
	PrefixRecurrence    Prefix = "rec_" // of a note that is issued every month
	PrefixCulturalEvent Prefix = "occ_" // of a cultural event, as evt_ is a webhook's
)

const (
	crockford = "0123456789abcdefghjkmnpqrstvwxyz"
	idLength  = 26 // 128 bits in characters of 5 bits

	timeLength = 10 // of them have the time: two leading zeros and 48 bits of milliseconds
)

// NewID makes a time-ordered id: the prefix and a UUIDv7 in 26 characters of
// Crockford base32. Ids of one kind sort by creation, so an id is a cursor.
func NewID(prefix Prefix) string {
	return string(prefix) + encodeBase32(uuid.Must(uuid.NewV7()))
}

// FirstID is below every id of the kind that is made from this moment on, and
// above those made before: it bounds a list by id to a period.
func FirstID(prefix Prefix, moment time.Time) string {
	var id [16]byte
	binary.BigEndian.PutUint64(id[:], uint64(max(0, moment.UnixMilli()))<<16)
	return string(prefix) + encodeBase32(id)
}

// TimeOf is the moment at which an id of the kind was made, to the millisecond.
func TimeOf(prefix Prefix, id string) (moment time.Time, known bool) {
	if !IsID(prefix, id) {
		return moment, false
	}
	var milliseconds int64
	for i := range timeLength {
		milliseconds = milliseconds<<5 | int64(strings.IndexByte(crockford, id[len(prefix)+i]))
	}
	return time.UnixMilli(milliseconds), true
}

// IsID reports whether s is a well-formed id of the kind.
func IsID(prefix Prefix, s string) bool {
	body, ok := strings.CutPrefix(s, string(prefix))
	if !ok || len(body) != idLength {
		return false
	}
	for i := range idLength {
		if strings.IndexByte(crockford, body[i]) < 0 {
			return false
		}
	}
	return true
}

func encodeBase32(id [16]byte) string {
	var out [idLength]byte
	bits, free, next := uint16(0), 2, 0 // 130 bits hold 128: two leading zeros
	for _, b := range id {
		bits = bits<<8 | uint16(b)
		free += 8
		for free >= 5 {
			free -= 5
			out[next] = crockford[bits>>free&31]
			next++
		}
	}
	return string(out[:])
}
