package saopaulo

import (
	"crypto/x509"
	"time"

	"emissor/test/simulators/shared/server"
)

// call is one request, and what is known of it while it is served.
type call struct {
	*server.Call
	soap      soapVersion
	operation *operation // nil when the action is not known
	caller    string     // the CNPJ or CPF of the client's certificate
	signer    *x509.Certificate
	message   *message
	registry  Registry
	record    Message
}

// today is the day in São Paulo, where there has been no summer time since 2019.
func (c *call) today() string { return c.Now.In(saoPauloTime).Format(time.DateOnly) }

var saoPauloTime = time.FixedZone("BRT", -3*60*60)
