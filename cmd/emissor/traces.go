package main

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
	TracesURL collector `envconfig:"EMISSOR_TRACES_URL" readers:"api worker dashboard" desc:"The collector of traces, by OTLP over HTTP, as http://otel-collector:4318?ratio=0.05; without a path it is /v1/traces. ratio is the part of the traces that is recorded, from 0 to 1, else 0.01. header=NAME:VALUE, as header=X-Api-Key:SECRET, goes with each call, and may be there several times; what is special in it is written as in URLs, as %20 for a space. ca=FILE names the CA (PEM) of its certificate where that is not one of the system's. Empty: there are no traces."`
}

// defaultTraceRatio is the part of the traces that is recorded where the collector's address names none.
const defaultTraceRatio = 0.01

// collector is the address of the collector of traces and what belongs to it.
type collector struct {
	trace.Options
	ca string
}

// Decode implements envconfig.Decoder. Its errors do not have the address, in which there may be a secret.
func (c *collector) Decode(value string) error {
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
	*c = collector{Options: trace.Options{Ratio: defaultTraceRatio, Headers: map[string]string{}}}
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
func (c *collector) decodeMore(query url.Values) error {
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
			c.ca = values[0]
		default:
			return errors.New("must have nothing after the question mark but ratio, header and ca")
		}
	}
	return nil
}

// tracer makes the tracer of a process; nil where there are no traces.
func (p *process) tracer(runs parts) (*trace.Tracer, error) {
	options := p.config.TracesURL.Options
	var err error
	if options.Roots, err = certificatePool("EMISSOR_TRACES_URL", p.config.TracesURL.ca); err != nil {
		return nil, err
	}
	options.Process, options.Version = runs.name(), version()
	options.Logger, options.Lost = p.logger, p.metrics.SpansLost
	return trace.New(options)
}

// name is that of the command that runs these parts.
func (p parts) name() string {
	switch p {
	case parts{api: true}:
		return readerAPI
	case parts{worker: true}:
		return readerWorker
	case parts{dashboard: true}:
		return readerDashboard
	}
	return "serve"
}
