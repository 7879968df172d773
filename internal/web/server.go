package web

import (
	"log/slog"
	"net/http"
	"time"
)

// headTimeout is how long the head of a request may take to arrive.
const headTimeout = 5 * time.Second

// maxHead is how many bytes the head of a request may have.
const maxHead = 16 << 10

// NewServer makes an HTTP server for connections that Listen accepts. A request that has
// not arrived with its body within 10 seconds is given up. It serves HTTP/1.1 only: TLS and
// HTTP/2 are left to the proxy in front.
func NewServer(handler http.Handler, logger *slog.Logger) *http.Server {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Server{
		Handler:           handler,
		Protocols:         protocols,
		ReadHeaderTimeout: headTimeout,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       20 * time.Second,
		MaxHeaderBytes:    maxHead - 4<<10, // net/http adds that to what it is told
		ConnContext:       withConnection,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelDebug),
	}
}
