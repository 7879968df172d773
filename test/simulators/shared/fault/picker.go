package fault

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// Picker picks the faults of each request from the profile. Its zero value picks none.
// Its methods are safe for concurrent use.
type Picker struct {
	mu      sync.Mutex
	profile Profile
	spent   []bool // those whose Next is used up
	seen    []int  // requests in scope, for Every
	random  *rand.Rand
}

// SetProfile replaces all that goes wrong; an empty profile ends every fault. An error
// names the field that is wrong, and changes nothing.
func (p *Picker) SetProfile(profile Profile, known Known) error {
	for i, fault := range profile.Faults {
		if err := known.validate(fault); err != nil {
			return fmt.Errorf("faults[%d].%w", i, err)
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.profile = Profile{Seed: profile.Seed, Faults: slices.Clone(profile.Faults)}
	p.spent = make([]bool, len(profile.Faults))
	p.seen = make([]int, len(profile.Faults))
	p.random = rand.New(rand.NewPCG(profile.Seed, 0))
	return nil
}

// Profile returns the profile as it stands: Next counts down, and what is used up is
// not listed.
func (p *Picker) Profile() Profile {
	p.mu.Lock()
	defer p.mu.Unlock()
	left := Profile{Seed: p.profile.Seed, Faults: []Fault{}}
	for i, fault := range p.profile.Faults {
		if !p.spent[i] {
			left.Faults = append(left.Faults, fault)
		}
	}
	return left
}

// Pick chooses for a request, and returns how long it has to wait.
func (p *Picker) Pick(scope Scope) (picked Picked, latency time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.profile.Faults {
		fault := &p.profile.Faults[i]
		if fault.Scope != "" && fault.Scope != Any && fault.Scope != scope || !p.applies(i) {
			continue
		}
		picked = append(picked, *fault)
		if fault.Kind == Latency {
			latency += time.Duration(fault.Delay)
			if fault.Jitter > 0 {
				latency += time.Duration(p.random.Int64N(int64(fault.Jitter)))
			}
		}
	}
	return picked, latency
}

func (p *Picker) applies(i int) bool {
	fault := &p.profile.Faults[i]
	if p.spent[i] {
		return false
	}
	p.seen[i]++
	if fault.Every > 0 && p.seen[i]%fault.Every != 0 {
		return false
	}
	if fault.Probability > 0 && p.random.Float64() >= fault.Probability {
		return false
	}
	if fault.Next > 0 {
		fault.Next--
		p.spent[i] = fault.Next == 0
	}
	return true
}

// Skew is how far the clock is ahead.
func (p *Picker) Skew() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	ahead := time.Duration(0)
	for _, fault := range p.profile.Faults {
		if fault.Kind == ClockSkew {
			ahead += time.Duration(fault.Delay)
		}
	}
	return ahead
}

// Picked are what goes wrong with one request.
type Picked []Fault

// Kinds are the names of what applied.
func (f Picked) Kinds() []string {
	var names []string
	for _, fault := range f {
		if fault.Kind != ClockSkew {
			names = append(names, string(fault.Kind))
		}
	}
	return names
}

// Find returns the first fault of a kind.
func (f Picked) Find(kind Kind) (Fault, bool) {
	i := slices.IndexFunc(f, func(fault Fault) bool { return fault.Kind == kind })
	if i < 0 {
		return Fault{}, false
	}
	return f[i], true
}

// Replacing returns the first fault that takes the place of the response, before
// or after the request is served.
func (f Picked) Replacing(after bool) (Fault, bool) {
	for _, fault := range f {
		switch fault.Kind {
		case Reject:
			if !after {
				return fault, true
			}
		case Drop, Reset, Status:
			if fault.After == after {
				return fault, true
			}
		}
	}
	return Fault{}, false
}
