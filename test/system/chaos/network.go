package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"
)

// network is what lies between Emissor's processes and PostgreSQL: a proxy for
// each process.
type network struct {
	proxies []*toxiproxy.Proxy
	mu      sync.Mutex
	cut     map[*toxiproxy.Proxy]bool
}

// newNetwork makes a proxy for each of some processes.
func newNetwork(server string, processes int) (*network, error) {
	n := &network{cut: map[*toxiproxy.Proxy]bool{}}
	api := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	for i := range processes {
		proxy := toxiproxy.NewProxy(api, fmt.Sprint("database-", i), "127.0.0.1:0", server)
		if err := proxy.Start(); err != nil {
			return nil, err
		}
		n.proxies = append(n.proxies, proxy)
	}
	return n, nil
}

func (n *network) address(process int) string { return n.proxies[process].Listen }

// of is the proxy of one process, or all for -1.
func (n *network) of(process int) []*toxiproxy.Proxy {
	if process < 0 {
		return n.proxies
	}
	return n.proxies[process : process+1]
}

// disconnect cuts every connection, and refuses new ones.
func (n *network) disconnect(process int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, proxy := range n.of(process) {
		proxy.Stop()
		n.cut[proxy] = true
	}
}

// connect takes connections again.
func (n *network) connect(process int) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, proxy := range n.of(process) {
		if !n.cut[proxy] {
			continue
		}
		if err := proxy.Start(); err != nil {
			return err
		}
		delete(n.cut, proxy)
	}
	return nil
}

// poison adds a toxic in both directions.
func (n *network) poison(process int, kind, attributes string) error {
	for _, proxy := range n.of(process) {
		for _, stream := range []string{"upstream", "downstream"} {
			if _, err := proxy.Toxics.AddToxicJson(strings.NewReader(fmt.Sprintf(
				`{"name": "%[1]s-%[2]s", "type": %[1]q, "stream": %[2]q, "attributes": %[3]s}`,
				kind, stream, attributes))); err != nil {
				return err
			}
		}
	}
	return nil
}

// slow delays what passes.
func (n *network) slow(process int, random *rand.Rand) error {
	return n.poison(process, "latency", fmt.Sprintf(`{"latency": %d, "jitter": %d}`,
		20+random.IntN(150), random.IntN(100)))
}

// silence lets nothing through and leaves connections open.
func (n *network) silence(process int) error { return n.poison(process, "timeout", `{"timeout": 0}`) }

// tear cuts each connection after some bytes, wherever that is.
func (n *network) tear(process int, random *rand.Rand) error {
	return n.poison(process, "limit_data", fmt.Sprintf(`{"bytes": %d}`, 1000+random.IntN(60_000)))
}

// cure takes the toxics away. Connections that were silent are cut by that.
func (n *network) cure(ctx context.Context, process int) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	for _, proxy := range n.of(process) {
		proxy.Toxics.ResetToxics(ctx)
	}
}

// heal ends all that is wrong.
func (n *network) heal(ctx context.Context) {
	n.cure(ctx, -1)
	_ = n.connect(-1)
}

func (n *network) close() {
	for _, proxy := range n.proxies {
		proxy.Stop()
	}
}
