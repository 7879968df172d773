package web

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"emissor/nfse"
)

// enveloping is a listener on whose connections everything is answered in the contract's envelope, with a
// request id. net/http answers some requests before there is a handler, in words of its own: a head that
// is too large (431) or is not HTTP (400, 501, 505), and an Expect that it does not know (417).
type enveloping struct {
	net.Listener
	logger *slog.Logger // nil: nothing is logged
}

// Accept implements net.Listener.
func (l enveloping) Accept() (net.Conn, error) {
	accepted, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &enveloped{accepted, l.logger}, nil
}

type enveloped struct {
	net.Conn
	logger *slog.Logger
}

// Write implements io.Writer.
func (c *enveloped) Write(p []byte) (int, error) {
	status, why := refusedByServer(p)
	if status == 0 {
		return c.Conn.Write(p)
	}
	id := nfse.NewID(nfse.PrefixRequest)
	if c.logger != nil {
		c.logger.InfoContext(context.Background(), "a request was refused before it was one", "request_id", id,
			"status", status, "client", RemoteAddress(c.RemoteAddr().String()).String())
	}
	if _, err := c.Conn.Write(refusal(id, status, why)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// CloseWrite lets the server end its side first, so that the client reads why.
func (c *enveloped) CloseWrite() error { return closeWrite(c.Conn) }

func closeWrite(c net.Conn) error {
	if half, ok := c.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// refusedByServer is the status, and the reason, of an answer that net/http gives itself; 0: it is a handler's.
// It is known by its head, which no handler's has: that one has a date, and is never a 417.
func refusedByServer(answer []byte) (status int, why string) {
	const version, own = len("HTTP/1.1"), "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"
	if !bytes.HasPrefix(answer, []byte("HTTP/1.")) || len(answer) < version+len(" 417") || answer[version+1] < '4' {
		return 0, ""
	}
	line, why, refused := strings.Cut(string(answer), own)
	code := line[version+1 : version+4]
	switch {
	case code == "417" && strings.HasSuffix(line, "\r\n\r\n"):
		return http.StatusExpectationFailed, "Expect may be nothing but 100-continue"
	case !refused || strings.Contains(line, "\r\n"):
		return 0, ""
	case code == "431":
		return http.StatusRequestHeaderFieldsTooLarge, "the head of a request may have " +
			strconv.Itoa(maxHead>>10) + " KiB"
	}
	status, _ = strconv.Atoi(code)
	if _, said, has := strings.Cut(why, ": "); has {
		why = said
	} else if strings.HasPrefix(why, code) { // which says no more
		why = "a line that is none, or a control character in a header"
	}
	return status, "the request is not well-formed HTTP/1.1: " + why
}

// refusal is a whole answer, after which the connection ends.
func refusal(id string, status int, why string) []byte {
	answer := answerInMemory{Response: http.Response{ProtoMajor: 1, ProtoMinor: 1, Close: true, Header: http.Header{
		"X-Request-Id": {id}, "Date": {time.Now().UTC().Format(http.TimeFormat)}}}}
	WriteError(&answer, id, nfse.NewError(nfse.CodeInvalidRequest, "", "%s", why))
	answer.StatusCode, answer.ContentLength, answer.Response.Body = status, int64(answer.body.Len()),
		io.NopCloser(&answer.body)
	var written bytes.Buffer
	_ = answer.Response.Write(&written) // into memory
	return written.Bytes()
}

// answerInMemory keeps an answer, whose status is decided elsewhere.
type answerInMemory struct {
	http.Response
	body bytes.Buffer
}

func (a *answerInMemory) Header() http.Header               { return a.Response.Header }
func (a *answerInMemory) WriteHeader(int)                   {}
func (a *answerInMemory) Write(content []byte) (int, error) { return a.body.Write(content) }
