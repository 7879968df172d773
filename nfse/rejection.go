package nfse

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"

	"emissor/nfse/fact"
)

// RejectionSource tells who rejected a note.
type RejectionSource string

// Who can reject a note.
const (
	RejectedByAuthority RejectionSource = "authority"
	RejectedByService   RejectionSource = "service"
)

// Rejection tells why a note was rejected: Message in the authority's own words, Explanation
// and Action in plain ones. Its JSON is what the API shows; a column holds its Wording too.
type Rejection struct {
	Source      RejectionSource `json:"source"`
	Code        string          `json:"code"`
	Message     string          `json:"message"`
	Field       *string         `json:"field"`
	Explanation string          `json:"explanation"`
	Action      string          `json:"action"`
	Wording     `json:"-"`
}

// Refusal tells why the authority did not cancel. It is shown and stored like a Rejection.
type Refusal struct {
	Code        string `json:"code"`
	Message     string `json:"message"`
	Explanation string `json:"explanation"`
	Action      string `json:"action"`
	Wording     `json:"-"`
}

// Wording is what the texts of a rejection were made of, so that they can be made in another
// language.
type Wording struct {
	Reason    fact.Fact `json:"reason,omitzero"`     // that Message is the text of; none for an authority's own words
	Catalogue string    `json:"catalogue,omitempty"` // that explains the code: an authority's name, or OwnCatalogue
	Remark    fact.Fact `json:"remark,omitzero"`     // with which Explanation ends where the authority did not reject
}

// OwnCatalogue explains the rejections that the service makes by itself, not by an
// authority's rules: see package fiscal.
const OwnCatalogue = "service"

// Refusal returns the rejection of a request to cancel as the note shows it.
func (r Rejection) Refusal() Refusal {
	return Refusal{Code: r.Code, Message: r.Message, Explanation: r.Explanation, Action: r.Action, Wording: r.Wording}
}

// Value is what a column holds: a JSON object of what the API shows, and of the Wording.
func (r Rejection) Value() (driver.Value, error) {
	return stored(struct {
		Rejection
		Wording
	}{r, r.Wording})
}

// Scan reads a column.
func (r *Rejection) Scan(v any) error {
	return scan(v, &struct {
		*Rejection
		*Wording
	}{r, &r.Wording})
}

// Value is what a column holds: a JSON object of what the API shows, and of the Wording.
func (r Refusal) Value() (driver.Value, error) {
	return stored(struct {
		Refusal
		Wording
	}{r, r.Wording})
}

// Scan reads a column.
func (r *Refusal) Scan(v any) error {
	return scan(v, &struct {
		*Refusal
		*Wording
	}{r, &r.Wording})
}

func stored(record any) (driver.Value, error) {
	content, err := Marshal(record)
	return string(content), err
}

func scan(v, record any) error {
	content, is := v.([]byte)
	if !is {
		return fmt.Errorf("nfse: cannot read a record from %T", v)
	}
	return json.Unmarshal(content, record)
}
