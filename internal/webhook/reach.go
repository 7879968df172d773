package webhook

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/base64"
	"net"
	"net/http"
	"net/url"
	"time"

	"emissor/nfse/fact"
)

// Reach connects to the receiver of a URL as a delivery would, TLS included, and ends the connection:
// no request is sent. It returns what went wrong; none where the receiver is reached.
func (c *Client) Reach(ctx context.Context, receiver string) (problem fact.Fact) {
	if err := c.options.CheckURL(receiver); err != nil {
		return describe(err)
	}
	to, err := url.Parse(receiver)
	if err != nil {
		return fact.EndpointURLForm.Fact()
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout+tlsHandshakeLimit)
	defer cancel()
	connection, err := c.dial(ctx, to)
	if err != nil {
		return describe(err)
	}
	defer connection.Close()
	if to.Scheme != "https" {
		return fact.Fact{}
	}
	config := c.options.tlsConfig()
	config.ServerName = to.Hostname()
	if err := tls.Client(connection, config).HandshakeContext(ctx); err != nil {
		return describe(err)
	}
	return fact.Fact{}
}

// dial connects to a receiver, or has the proxy connect to it.
func (c *Client) dial(ctx context.Context, to *url.URL) (net.Conn, error) {
	address := addressOf(to)
	if c.options.Proxy == nil {
		return newGuard(c.options.AllowLoopback).dialer().DialContext(ctx, "tcp", address)
	}
	connection, err := c.dialProxy(ctx)
	if err != nil {
		return nil, &net.OpError{Op: "proxyconnect", Net: "tcp", Err: err}
	}
	if err := c.connectThrough(ctx, connection, address); err != nil {
		connection.Close()
		return nil, err
	}
	return connection, nil
}

func (c *Client) dialProxy(ctx context.Context) (net.Conn, error) {
	dialer, address := &net.Dialer{Timeout: connectTimeout}, addressOf(c.options.Proxy)
	if c.options.Proxy.Scheme == "https" {
		return (&tls.Dialer{NetDialer: dialer, Config: c.options.tlsConfig()}).DialContext(ctx, "tcp", address)
	}
	return dialer.DialContext(ctx, "tcp", address)
}

// connectThrough has the proxy at the other end of a connection connect to an address.
func (c *Client) connectThrough(ctx context.Context, connection net.Conn, address string) error {
	stop := context.AfterFunc(ctx, func() { _ = connection.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	request := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: address}, Host: address,
		Header: http.Header{"User-Agent": {userAgent}}}
	if user := c.options.Proxy.User; user != nil {
		password, _ := user.Password()
		request.Header.Set("Proxy-Authorization",
			"Basic "+base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password)))
	}
	if err := request.Write(connection); err != nil {
		return err
	}
	answer, err := http.ReadResponse(bufio.NewReader(connection), request)
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return refusedByProxy(answer.StatusCode)
	}
	return nil
}

// addressOf is the host and port of a URL.
func addressOf(of *url.URL) string {
	usual := map[string]string{"https": "443", "http": "80"}[of.Scheme]
	return net.JoinHostPort(of.Hostname(), cmp.Or(of.Port(), usual))
}
