package main

import (
	"context"
	"fmt"
	"net"
	"strings"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"emissor/test/harness"
)

// pageReplica are the words of failover.md for the primary's address.
const pagePrimary = "host=db-1"

// addReplica makes the second server a streaming replica of the first one.
func (i *installation) addReplica(ctx context.Context, r round) error {
	d, replica := i.drill, i.databases[1]
	if r.sync {
		if _, err := i.primary().run(ctx, d.failoverPage, "synchronous"); err != nil {
			return err
		}
	}
	// What is between the two can fall silent, as a network does.
	api := toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop())
	proxy := toxiproxy.NewProxy(api, "replication", "127.0.0.1:0", net.JoinHostPort("127.0.0.1", i.primary().port))
	if err := proxy.Start(); err != nil {
		return err
	}
	i.atClose(proxy.Stop)
	i.replication = proxy
	_, port, err := net.SplitHostPort(proxy.Listen)
	if err != nil {
		return err
	}
	if _, err := replica.run(ctx, d.failoverPage, "replica", pagePrimary, "host=127.0.0.1 port="+port, pageData,
		replica.data); err != nil {
		return err
	}
	if err := replica.start(ctx); err != nil {
		return err
	}
	return i.awaitStreaming(ctx)
}

func (i *installation) awaitStreaming(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startPatience)
	defer cancel()
	return harness.Await(ctx, "the replica streams", func(ctx context.Context) bool {
		answer, err := i.primary().run(ctx, i.drill.failoverPage, "watch")
		return err == nil && strings.Contains(answer, "streaming")
	})
}

// losePrimary lets the replica fall behind for a while, and kills the primary with its disk.
func (i *installation) losePrimary(ctx context.Context, r round) (lostAt time.Time, err error) {
	if _, err := i.replication.Toxics.AddToxicJson(strings.NewReader(
		`{"name": "silence", "type": "timeout", "stream": "downstream", "attributes": {"timeout": 0}}`)); err != nil {
		return lostAt, err
	}
	if err := sleep(ctx, r.lag); err != nil {
		return lostAt, err
	}
	lostAt = time.Now()
	err = i.primary().lose()
	i.replication.Stop()
	return lostAt, err
}

// takeOver promotes the replica. Processes find it by themselves.
func (i *installation) takeOver(ctx context.Context, r round) error {
	d := i.drill
	i.databases[0], i.databases[1] = i.databases[1], i.databases[0]
	if _, err := i.primary().run(ctx, d.failoverPage, "promote"); err != nil {
		return err
	}
	if r.sync {
		if _, err := i.primary().run(ctx, d.failoverPage, "alone"); err != nil {
			return err
		}
	}
	for _, part := range []*harness.Part{i.api, i.worker} {
		if !part.Running() {
			return fmt.Errorf("%s has ended\n%s", part.Name, part.LogTail())
		}
		if err := part.AwaitReady(ctx); err != nil {
			return err
		}
	}
	return nil
}
