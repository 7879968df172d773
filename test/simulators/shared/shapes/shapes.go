package shapes

import (
	"math/rand/v2"
	"net"
	"net/http"
	"sync"

	"emissor/test/simulators/shared/fault"
)

// Rates are how often an answer does not come as it was made: each from 0 to 1, of all requests.
type Rates struct {
	Lost         float64 // the connection is closed before or after the request is served, or within the answer
	Pages        float64 // a gateway answers, before or after the request is served
	Certificates float64 // a gateway does not let the client's certificate in
	Handshakes   float64 // of connections: they are closed before their handshake
}

// Usual are the rates of a bad day.
var Usual = Rates{Lost: 0.04, Pages: 0.04, Certificates: 0.002, Handshakes: 0.03}

// Shapes draws the forms of answers. Its methods are safe for concurrent use.
type Shapes struct {
	rates Rates

	mu     sync.Mutex
	random *rand.Rand
}

// Any draws from all forms.
func Any(seed uint64, rates Rates) *Shapes {
	return &Shapes{rates: rates, random: rand.New(rand.NewPCG(seed, 2))}
}

// draw returns a source of choices for one request.
func (s *Shapes) draw() *rand.Rand {
	s.mu.Lock()
	defer s.mu.Unlock()
	return rand.New(rand.NewPCG(s.random.Uint64(), s.random.Uint64()))
}

func chance(random *rand.Rand, rate float64) bool { return random.Float64() < rate }

func one[T any](random *rand.Rand, of ...T) T { return of[random.IntN(len(of))] }

// Between puts it before a handler.
func (s *Shapes) Between(served http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		random := s.draw()
		lost, paged := chance(random, s.rates.Lost), chance(random, s.rates.Pages)
		moment := random.IntN(3) // before, after, within
		switch {
		case chance(random, s.rates.Certificates):
			one(random, certificatePages...).write(w)
			return
		case paged && moment == 0:
			one(random, append(pagesBefore, pagesAfter...)...).write(w)
			return
		case lost && moment == 0:
			fault.Cut(w, random.IntN(2) == 0)
			return
		}
		held := &answer{ResponseWriter: w}
		served.ServeHTTP(held, r)
		switch {
		case held.gone: // a fault of the simulator has cut it
		case paged:
			one(random, pagesAfter...).write(w)
		case lost && moment == 1:
			fault.Cut(w, random.IntN(2) == 0)
		case lost:
			held.cut(random.Float64())
		default:
			reshape(random, r, held)
			held.send(chance(random, 0.3))
		}
	})
}

// Listener closes some of the connections before their handshake, as the ADN does with a first one.
func (s *Shapes) Listener(of net.Listener) net.Listener { return listener{of, s} }

type listener struct {
	net.Listener
	shapes *Shapes
}

func (l listener) Accept() (net.Conn, error) {
	for {
		connection, err := l.Listener.Accept()
		if err != nil || !chance(l.shapes.draw(), l.shapes.rates.Handshakes) {
			return connection, err
		}
		_ = connection.Close()
	}
}
