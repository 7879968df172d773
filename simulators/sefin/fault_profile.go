package sefin

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"
)

// faultPicker picks the faults of each request from the profile.
type faultPicker struct {
	mu      sync.Mutex
	profile FaultProfile
	spent   []bool // those whose Next is used up
	seen    []int  // requests in scope, for Every
	random  *rand.Rand
}

// SetFaultProfile replaces all that goes wrong; an empty profile ends every fault.
// An error names the field that is wrong, and changes nothing.
func (s *Simulator) SetFaultProfile(profile FaultProfile) error {
	for i, fault := range profile.Faults {
		if err := fault.validate(); err != nil {
			return fmt.Errorf("faults[%d].%w", i, err)
		}
	}
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	s.faults.profile = FaultProfile{Seed: profile.Seed, Faults: slices.Clone(profile.Faults)}
	s.faults.spent = make([]bool, len(profile.Faults))
	s.faults.seen = make([]int, len(profile.Faults))
	s.faults.random = rand.New(rand.NewPCG(profile.Seed, 0))
	return nil
}

// FaultProfile returns the profile as it stands: Next counts down, and what is
// used up is not listed.
func (s *Simulator) FaultProfile() FaultProfile {
	s.faults.mu.Lock()
	defer s.faults.mu.Unlock()
	left := FaultProfile{Seed: s.faults.profile.Seed, Faults: []Fault{}}
	for i, fault := range s.faults.profile.Faults {
		if !s.faults.spent[i] {
			left.Faults = append(left.Faults, fault)
		}
	}
	return left
}

// pick chooses for a request, and returns how long it has to wait.
func (p *faultPicker) pick(scope Scope) (picked callFaults, latency time.Duration) {
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

func (p *faultPicker) applies(i int) bool {
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

// skew is how far the clock is ahead.
func (p *faultPicker) skew() time.Duration {
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

// callFaults are what goes wrong with one request.
type callFaults []Fault

// kinds are the names of what applied.
func (f callFaults) kinds() []string {
	var names []string
	for _, fault := range f {
		if fault.Kind != ClockSkew {
			names = append(names, string(fault.Kind))
		}
	}
	return names
}

func (f callFaults) find(kind Kind) (Fault, bool) {
	i := slices.IndexFunc(f, func(fault Fault) bool { return fault.Kind == kind })
	if i < 0 {
		return Fault{}, false
	}
	return f[i], true
}

// replacing returns the first fault that takes the place of the response, before
// or after the request is served.
func (f callFaults) replacing(after bool) (Fault, bool) {
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
