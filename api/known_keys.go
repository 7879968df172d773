package api

import (
	"sync"
	"time"

	"emissor/nfse"
)

const (
	knownFor     = 10 * time.Minute // since the key was last found valid
	maxKnownKeys = 10_000
)

// knownKeys remembers which keys were valid in the last minutes, by the hashes
// of their texts. It vouches for nothing: the key of every request is looked
// up, so that one that was revoked is refused. It only tells callers that were
// here from strangers.
type knownKeys struct {
	mu    sync.Mutex
	valid map[keyHash]time.Time // when it was last found valid
}

type keyHash [32]byte

func hashOf(text string) keyHash { return keyHash(nfse.HashAPIKey(text)) }

func newKnownKeys() *knownKeys { return &knownKeys{valid: map[keyHash]time.Time{}} }

func (k *knownKeys) has(hash keyHash, now time.Time) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	valid, found := k.valid[hash]
	return found && now.Sub(valid) < knownFor
}

func (k *knownKeys) add(hash keyHash, now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, found := k.valid[hash]; !found && len(k.valid) >= maxKnownKeys {
		k.makeRoom(now)
	}
	k.valid[hash] = now
}

func (k *knownKeys) remove(hash keyHash) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.valid, hash)
}

// makeRoom forgets what is too old, or else any of them.
func (k *knownKeys) makeRoom(now time.Time) {
	for hash, valid := range k.valid {
		if now.Sub(valid) >= knownFor {
			delete(k.valid, hash)
		}
	}
	for hash := range k.valid {
		if len(k.valid) < maxKnownKeys {
			return
		}
		delete(k.valid, hash)
	}
}
