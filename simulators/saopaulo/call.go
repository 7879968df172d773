package saopaulo

import (
	"crypto/x509"
	"net/http"
	"time"

	"emissor/simulators/shared/fault"
)

// call is one request, and what is known of it while it is served.
type call struct {
	request   *http.Request
	body      []byte
	soap      soapVersion
	operation *operation // nil when the action is not known
	caller    string     // the CNPJ or CPF of the client's certificate
	signer    *x509.Certificate
	message   *message
	registry  Registry
	now       time.Time
	faults    fault.Picked
	record    Message
}

// today is the day in São Paulo, where there has been no summer time since 2019.
func (c *call) today() string { return c.now.In(saoPauloTime).Format(time.DateOnly) }

var saoPauloTime = time.FixedZone("BRT", -3*60*60)
