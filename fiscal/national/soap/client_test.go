package soap

import (
	"strings"
	"testing"
)

// The action is in quotes, under its name as it is written: servers were seen that look for that.
func TestCall_Header(t *testing.T) {
	t.Parallel()
	var sent strings.Builder
	if err := (Call{Action: "urn:cancel"}).header().Write(&sent); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(sent.String(), `SOAPAction: "urn:cancel"`+"\r\n") {
		t.Errorf("the header is %s", sent.String())
	}
}
