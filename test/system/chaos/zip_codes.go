package main

import (
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// Municipalities of zip codes: those from 20000-000 are in Rio de Janeiro.
const (
	saoPaulo     = "3550308"
	rioDeJaneiro = "3304557"
)

// zipCodes simulates a zip code service with the API of ViaCEP.
type zipCodes struct {
	url    string
	server *http.Server
	away   atomic.Int32 // how it is away, when not 0
}

// The ways in which the zip code service is away.
const (
	zipCodesHang = iota + 1
	zipCodesFail
	zipCodesCut
	waysAway
)

func newZipCodes() (*zipCodes, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	z := &zipCodes{url: "http://" + listener.Addr().String()}
	z.server = &http.Server{Handler: z, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = z.server.Serve(listener) }() // ends with close
	return z, nil
}

func (z *zipCodes) close() { _ = z.server.Close() }

// ServeHTTP implements http.Handler: /ws/01310100/json/.
func (z *zipCodes) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch z.away.Load() {
	case zipCodesHang:
		<-r.Context().Done()
		return
	case zipCodesFail:
		http.Error(w, "try again", http.StatusBadGateway)
		return
	case zipCodesCut:
		panic(http.ErrAbortHandler)
	}
	zip := strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/ws/"), "/json/")
	code := saoPaulo
	if strings.HasPrefix(zip, "2") {
		code = rioDeJaneiro
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]string{"cep": zip[:5] + "-" + zip[5:], "ibge": code})
}
