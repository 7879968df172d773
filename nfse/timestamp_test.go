package nfse_test

import (
	"encoding/json"
	"testing"
	"time"

	"emissor/nfse"
)

func TestTimestamp_UTCWithMilliseconds(t *testing.T) {
	brasilia := time.FixedZone("BRT", -3*60*60)
	for printed, moment := range map[string]time.Time{
		"2026-11-21T12:30:05.007Z": time.Date(2026, 11, 21, 9, 30, 5, 7_000_000, brasilia),
		"2026-12-31T23:59:59.999Z": time.Date(2026, 12, 31, 23, 59, 59, 999_999_999, time.UTC), // never the next year
		"2027-01-01T02:59:59.000Z": time.Date(2026, 12, 31, 23, 59, 59, 0, brasilia),
		"1970-01-01T00:00:00.000Z": time.Unix(0, 0),
	} {
		encoded, err := json.Marshal(nfse.Timestamp{Time: moment})
		if err != nil || string(encoded) != `"`+printed+`"` {
			t.Errorf("%v is printed %s (%v), expected %q", moment, encoded, err, printed)
		}
		var again nfse.Timestamp
		if err := json.Unmarshal(encoded, &again); err != nil || again.String() != printed {
			t.Errorf("%s is read as %v: %v", encoded, again, err)
		}
	}
}

func TestTimestamp_Refused(t *testing.T) {
	for _, sent := range []string{`""`, `null`, `0`, `"2026-11-21"`, `"2026-11-21T12:30:05Z"`,
		`"2026-11-21T12:30:05.007-03:00"`, `"2026-13-01T00:00:00.000Z"`} {
		var moment nfse.Timestamp
		if err := moment.UnmarshalJSON([]byte(sent)); err == nil {
			t.Errorf("%s is read as %v", sent, moment)
		}
	}
}

// The database rounds to the nearest microsecond. What it is given must already
// be what was printed, or a record says another millisecond than its XML.
func TestTimestamp_KeptAsPrinted(t *testing.T) {
	moment := nfse.Timestamp{Time: time.Date(2026, 11, 21, 12, 30, 5, 7_999_999, time.UTC)}
	value, err := moment.Value()
	if err != nil {
		t.Fatal(err)
	}
	kept := nfse.Timestamp{Time: value.(time.Time).Round(time.Microsecond)}
	if kept.String() != moment.String() {
		t.Errorf("%s is kept as %s", moment, kept)
	}
}

func TestTimestamp_ScansOnlyTimes(t *testing.T) {
	var moment nfse.Timestamp
	if err := moment.Scan(time.Unix(1, 0)); err != nil || moment.Unix() != 1 {
		t.Errorf("scanned %v: %v", moment, err)
	}
	for _, value := range []any{nil, "2026-11-21", int64(1), []byte("x")} {
		if err := moment.Scan(value); err == nil {
			t.Errorf("scanned %T", value)
		}
	}
}
