package notes

import (
	"encoding/json"
	"fmt"

	"emissor/nfse"
)

// IssuedBy is the profile with which an authority issued a note. The profile is nil before
// that, and for notes of the test environment.
type IssuedBy struct{ *nfse.FiscalProfile }

// Scan implements sql.Scanner.
func (i *IssuedBy) Scan(value any) error {
	i.FiscalProfile = nil
	switch content := value.(type) {
	case nil:
		return nil
	case []byte:
		return json.Unmarshal(content, &i.FiscalProfile)
	}
	return fmt.Errorf("a profile is read from %T", value)
}

// IssuedBySQL selects the profile with which a note n was issued.
const IssuedBySQL = `(SELECT ` + ExchangeProfile + ` FROM fiscal_exchanges f
	WHERE f.note_id = n.id AND f.kind = 'issue' AND f.state = 'accepted')`
