package cli

import (
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"emissor/internal/trace"
)

// TraceConfig is the setting of traces.
type TraceConfig struct {
	TracesURL Collector `envconfig:"EMISSOR_TRACES_URL" readers:"api worker dashboard" desc:"The collector of traces, by OTLP over HTTP, as http://otel-collector:4318?ratio=0.05; without a path it is /v1/traces. ratio is the part of the traces that is recorded, from 0 to 1, else 0.01. header=NAME:VALUE, as header=X-Api-Key:SECRET, goes with each call, and may be there several times; what is special in it is written as in URLs, as %20 for a space. ca=FILE names the CA (PEM) of its certificate where that is not one of the system's. Empty: there are no traces."`
}

// DefaultTraceRatio is the part of the traces that is recorded where the collector's address names none.
const DefaultTraceRatio = 0.01

// Collector is the address of the collector of traces and what belongs to it.
type Collector struct {
	trace.Options
	Ca string
}

// Decode implements envconfig.Decoder. Its errors do not have the address, in which there may be a secret.
func (c *Collector) Decode(value string) error {
	if value == "" {
		return nil
	}
	address, err := url.Parse(value)
	if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Hostname() == "" ||
		address.User != nil || address.Fragment != "" {
		return errors.New("must look like http://otel-collector:4318")
	}
	more, err := url.ParseQuery(address.RawQuery)
	if err != nil {
		return errors.New("must have after the question mark what a URL may have there")
	}
	*c = Collector{Options: trace.Options{Ratio: DefaultTraceRatio, Headers: map[string]string{}}}
	if err := c.decodeMore(more); err != nil {
		return err
	}
	if strings.Trim(address.Path, "/") == "" {
		address.Path = "/v1/traces"
	}
	address.RawQuery = ""
	c.URL = address.String()
	return nil
}

var collectorHeader = regexp.MustCompile(`^([A-Za-z0-9_-]+): *([\x20-\x7E]*[\x21-\x7E])$`)

// decodeMore reads what comes after the question mark.
func (c *Collector) decodeMore(query url.Values) error {
	for name, values := range query {
		switch name {
		case "ratio":
			ratio, err := strconv.ParseFloat(values[0], 64)
			if err != nil || !(ratio >= 0 && ratio <= 1) { // which no number is not either
				return errors.New("must have a ratio from 0 to 1")
			}
			c.Ratio = ratio
		case "header":
			for _, value := range values {
				header := collectorHeader.FindStringSubmatch(value)
				if header == nil {
					return errors.New("must have headers as NAME:VALUE")
				}
				c.Headers[http.CanonicalHeaderKey(header[1])] = header[2]
			}
		case "ca":
			c.Ca = values[0]
		default:
			return errors.New("must have nothing after the question mark but ratio, header and ca")
		}
	}
	return nil
}
