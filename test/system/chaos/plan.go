package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// plan is all that will be done, decided by the seed.
type plan struct {
	notes  []plannedNote
	queue  []plannedNote // that come last, while no worker runs
	faults []fault
	held   []fault
}

// plannedNote is a note that a caller will issue, and what it does then.
type plannedNote struct {
	organization int
	live         bool
	scenario     string // of a sandbox note
	reference    string
	amount       int
	document     string // of its customer
	name         string // of its customer
	address      address
	repeats      []time.Duration // the same request again, so long after it was accepted
	changed      time.Duration   // another request under the same reference; 0 is none
	cancel       time.Duration   // 0 is never
	reason       string          // of the cancellation
}

// address is where a customer lives, as far as zip codes matter.
type address struct {
	zip      string
	declared string // municipality that the caller names; empty is none
	conflict bool   // the zip code is not in it
}

// newPlan makes the plan of a run.
func newPlan(o options) (plan, error) {
	p := plan{}
	random := rand.New(rand.NewPCG(o.seed, 1))
	texts := newTexts(o.seed)
	for i := range o.notes - o.queue {
		p.notes = append(p.notes, planNote(o, random, texts, i))
	}
	for range o.queue {
		p.queue = append(p.queue, planQueued(random, texts))
	}
	var err error
	if p.faults, err = planFaults(o, rand.New(rand.NewPCG(o.seed, 2))); err != nil {
		return p, err
	}
	for _, name := range o.held {
		if faultKinds[name] == nil {
			return p, fmt.Errorf("there is no kind of fault %q", name)
		}
		p.held = append(p.held, fault{Kind: name, Target: -1, Length: o.arrival, Seed: random.Uint64()})
	}
	return p, nil
}

// customers is how many different ones each organization has.
const customers = 40

func planNote(o options, random *rand.Rand, texts *texts, index int) plannedNote {
	n := plannedNote{
		organization: random.IntN(o.organizations), live: random.Float64() < o.live,
		amount: 100 + random.IntN(1_000_000), document: cpf(random.IntN(customers)),
		address: address{zip: "01310-100"},
	}
	if !n.live {
		n.scenario = []string{"authorized", "authorized", "authorized", "rejected", "slow"}[random.IntN(5)]
		n.address = planAddress(random, index)
	}
	n.reference, n.name = texts.reference(n), texts.name(n)
	for range random.IntN(3) {
		n.repeats = append(n.repeats, planMoment(o, random))
	}
	if random.Float64() < 0.15 {
		n.changed = planMoment(o, random)
	}
	if random.Float64() < o.cancelled {
		n.cancel, n.reason = planMoment(o, random), []string{"1", "2", "9"}[random.IntN(3)]
	}
	return n
}

// planQueued is one of many equal notes: they differ in their age alone.
func planQueued(random *rand.Rand, texts *texts) plannedNote {
	n := plannedNote{
		scenario: "authorized", amount: 100 + random.IntN(1_000_000), document: cpf(0),
		address: address{zip: "01310-100"},
	}
	n.reference, n.name = texts.reference(n), texts.name(n)
	return n
}

// planMoment is any moment after a note's acceptance: very soon, or when it may have ended.
func planMoment(o options, random *rand.Rand) time.Duration {
	longest := o.moment
	if random.IntN(2) == 0 {
		longest = min(longest, 500*time.Millisecond)
	}
	return time.Millisecond + time.Duration(random.Int64N(int64(longest)))
}

// planAddress is now and then at a zip code that was not looked up before: one of which
// only the service knows the municipality, one of which the caller names it too, and one
// of which the caller names another.
func planAddress(random *rand.Rand, index int) address {
	fresh := fmt.Sprintf("%05d-%03d", 1000+index/1000%9000, index%1000)
	switch random.IntN(20) {
	case 0:
		return address{zip: fresh}
	case 1, 2:
		return address{zip: fresh, declared: saoPaulo}
	case 3:
		return address{zip: fmt.Sprintf("%05d-%03d", 20000+index/1000%2000, index%1000), declared: saoPaulo,
			conflict: true}
	}
	return address{zip: "01310-100"}
}

// planFaults deals all kinds in turn, shuffled, so that a short run has many.
func planFaults(o options, random *rand.Rand) ([]fault, error) {
	names := o.kinds
	if len(names) == 0 {
		names = kindNames()
	}
	var planned []fault
	var deck []string
	for range o.faults {
		if len(deck) == 0 {
			deck = slices.Clone(names)
			random.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
		}
		kind := faultKinds[deck[0]]
		if kind == nil {
			return nil, fmt.Errorf("there is no kind of fault %q", deck[0])
		}
		gap := o.arrival / time.Duration(o.faults)
		planned = append(planned, fault{
			Kind: deck[0], Gap: gap/2 + time.Duration(random.Int64N(int64(gap)+1)),
			Length: time.Duration(random.Int64N(int64(kind.longest(o)) + 1)), Target: random.IntN(parts+1) - 1,
			Seed: random.Uint64(),
		})
		deck = deck[1:]
	}
	return planned, nil
}
