package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// What is lost in a round.
const (
	serverLost  = "the server is lost"    // with its disk, and what was not archived
	tableLost   = "a table is dropped"    // and the database brought back to a second before
	primaryLost = "the primary is killed" // and its replica promoted
)

// round is what happens to one installation.
type round struct {
	number int
	seed   uint64
	loss   string
	engine string        // what Temporal is afterwards
	load   time.Duration // until the loss
	lag    time.Duration // of the replica at the loss
	sync   bool          // commits wait for the replica
}

// String says what happens in a round.
func (r round) String() string {
	text := fmt.Sprintf("round %d: %s", r.number, r.loss)
	switch {
	case r.loss != primaryLost:
		return text + ", Temporal is " + r.engine
	case r.sync:
		return text + ", a synchronous replica takes over"
	}
	return text + ", a replica takes over"
}

// plan decides by the seed what happens. All states of Temporal come in turn, and every other loss is of a
// whole server.
func plan(o options) (rounds []round) {
	random := rand.New(rand.NewPCG(o.seed, 1))
	next := func() round {
		return round{number: len(rounds) + 1, seed: random.Uint64(), engine: engineNewer,
			load: o.load/2 + time.Duration(random.Int64N(int64(o.load)/2+1))}
	}
	var engines []string
	first := random.IntN(2)
	for n := range o.rounds {
		if len(engines) == 0 {
			engines = slices.Clone([]string{engineNewer, engineOlder, engineLost})
			random.Shuffle(len(engines), func(i, j int) { engines[i], engines[j] = engines[j], engines[i] })
		}
		r := next()
		r.loss, r.engine = []string{serverLost, tableLost}[(n+first)%2], engines[0]
		engines = engines[1:]
		rounds = append(rounds, r)
	}
	first = random.IntN(2)
	for n := range o.failovers {
		r := next()
		r.loss, r.sync = primaryLost, (n+first)%2 == 0
		r.lag = time.Duration(random.Int64N(int64(3 * time.Second)))
		rounds = append(rounds, r)
	}
	return rounds
}
