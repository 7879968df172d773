package web_test

import (
	"log/slog"
	"net/http"
	"reflect"
	"testing"
	"time"

	"emissor/internal/web"
)

func TestServer_Timeouts(t *testing.T) {
	handler := http.NewServeMux()
	server := web.NewServer(handler, slog.New(slog.DiscardHandler))
	for what, bound := range map[string]struct{ got, expected any }{
		"ReadHeaderTimeout": {server.ReadHeaderTimeout, 5 * time.Second},
		"ReadTimeout":       {server.ReadTimeout, 10 * time.Second},
		"WriteTimeout":      {server.WriteTimeout, 30 * time.Second},
		"IdleTimeout":       {server.IdleTimeout, 20 * time.Second},
		"MaxHeaderBytes":    {server.MaxHeaderBytes, 12 << 10},
		"HTTP/1":            {server.Protocols.HTTP1(), true},
		"HTTP/2":            {server.Protocols.HTTP2(), false},
		"HTTP/2 in clear":   {server.Protocols.UnencryptedHTTP2(), false},
		"Handler":           {server.Handler, http.Handler(handler)},
	} {
		if !reflect.DeepEqual(bound.got, bound.expected) {
			t.Errorf("%s is %v, expected %v", what, bound.got, bound.expected)
		}
	}
}
