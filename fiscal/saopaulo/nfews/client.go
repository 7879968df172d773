package nfews

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"

	"emissor/fiscal/mtls"
	"emissor/fiscal/saopaulo/rps"
)

// Options say how the service is reached.
type Options struct {
	URL  string // of the synchronous service; empty: it is not reached
	SOAP SOAP   // empty is SOAP12

	Signer rps.Signer // of questions

	Transport mtls.Options
	Logger    *slog.Logger // nil: nothing is logged
}

// Client calls the web service.
type Client struct {
	url    *url.URL // nil: not served
	soap   SOAP
	signer rps.Signer
	http   *mtls.Client
	log    *slog.Logger
}

// New makes a client. It refuses an address that is no https URL; the error begins
// with the name of the option.
func New(options Options) (*Client, error) {
	address, err := mtls.ParseURL(options.URL)
	if err != nil {
		return nil, fmt.Errorf("URL: %w", err)
	}
	switch options.SOAP {
	case "":
		options.SOAP = SOAP12
	case SOAP11, SOAP12:
	default:
		return nil, errors.New("SOAP: must be 1.1 or 1.2")
	}
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	return &Client{
		url: address, soap: options.SOAP, signer: options.Signer, log: options.Logger,
		http: mtls.New(options.Transport),
	}, nil
}

// Serves reports whether the service has an address.
func (c *Client) Serves() bool { return c.url != nil }
