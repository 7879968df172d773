package cli

import (
	"errors"
	"net/url"
	"strconv"
)

// ports is a comma-separated list of ports.
type ports []int

// Decode implements envconfig.Decoder.
func (p *ports) Decode(value string) error {
	for _, part := range splitList(value) {
		port, err := strconv.ParseUint(part, 10, 16)
		if err != nil || port == 0 {
			return errors.New("must be numbers from 1 to 65535")
		}
		*p = append(*p, int(port))
	}
	return nil
}

// proxy is the address of a proxy; no URL is none.
type proxy struct{ *url.URL }

// Decode implements envconfig.Decoder.
func (p *proxy) Decode(value string) error {
	if value == "" {
		return nil
	}
	parsed, err := url.Parse(value)
	if err != nil || parsed.Scheme != "http" && parsed.Scheme != "https" || parsed.Hostname() == "" ||
		parsed.Path != "" && parsed.Path != "/" {
		return errors.New("must look like http://host:port")
	}
	p.URL = parsed
	return nil
}
