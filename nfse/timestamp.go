package nfse

import (
	"database/sql/driver"
	"fmt"
	"time"
)

// timestampLayout is ISO 8601 in UTC with milliseconds.
const timestampLayout = "2006-01-02T15:04:05.000Z"

// Timestamp is a moment as the API prints it: ISO 8601, UTC, milliseconds.
type Timestamp struct{ time.Time }

// String implements fmt.Stringer.
func (t Timestamp) String() string { return t.UTC().Format(timestampLayout) }

// MarshalJSON implements json.Marshaler.
func (t Timestamp) MarshalJSON() ([]byte, error) { return []byte(`"` + t.String() + `"`), nil }

// UnmarshalJSON implements json.Unmarshaler.
func (t *Timestamp) UnmarshalJSON(b []byte) error {
	parsed, err := time.Parse(`"`+timestampLayout+`"`, string(b))
	t.Time = parsed
	return err
}

// Scan implements sql.Scanner.
func (t *Timestamp) Scan(v any) error {
	moment, ok := v.(time.Time)
	if !ok {
		return fmt.Errorf("nfse: cannot read a timestamp from %T", v)
	}
	t.Time = moment
	return nil
}

// Value implements driver.Valuer. It stores what is printed: rounded by the database,
// a record could differ by a millisecond from the XML of the same note.
func (t Timestamp) Value() (driver.Value, error) { return t.Truncate(time.Millisecond), nil }
