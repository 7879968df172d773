package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// What is lost in a round.
const (
	serverLost  = "the server is lost"         // with its disk, and what was not archived
	tableLost   = "a table is dropped"         // and the database brought back to a second before
	filesLost   = "a snapshot is brought back" // of the server's files
	primaryLost = "the primary is killed"      // and its replica promoted
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

// archived reports whether the WAL is archived. A snapshot that is brought back would archive other WAL under
// the names of what is there.
func (r round) archived() bool { return r.loss != filesLost }

// bounded reports whether it is known how much is lost at most: a snapshot is as old as it is, and a person
// says to which moment before a mistake the database goes back.
func (r round) bounded() bool { return r.loss == serverLost || r.loss == primaryLost }

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

// plan decides by the seed what happens. All losses and all states of Temporal come in turn.
func plan(o options) (rounds []round) {
	random := rand.New(rand.NewPCG(o.seed, 1))
	next := func() round {
		return round{number: len(rounds) + 1, seed: random.Uint64(), engine: engineNewer,
			load: o.load/2 + time.Duration(random.Int64N(int64(o.load)/2+1))}
	}
	var losses, engines []string
	for range o.rounds {
		r := next()
		r.loss, losses = draw(random, losses, serverLost, tableLost, filesLost)
		r.engine, engines = draw(random, engines, engineNewer, engineOlder, engineLost)
		rounds = append(rounds, r)
	}
	first := random.IntN(2)
	for n := range o.failovers {
		r := next()
		r.loss, r.sync = primaryLost, (n+first)%2 == 0
		r.lag = time.Duration(random.Int64N(int64(3 * time.Second)))
		rounds = append(rounds, r)
	}
	return rounds
}

// draw takes a card from a deck; an empty one is first filled with all, and shuffled.
func draw(random *rand.Rand, deck []string, all ...string) (card string, rest []string) {
	if len(deck) == 0 {
		deck = slices.Clone(all)
		random.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
	}
	return deck[0], deck[1:]
}
