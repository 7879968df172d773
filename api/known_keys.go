package api

import (
	"time"

	"emissor/internal/recent"
	"emissor/nfse"
)

// knownKeys remembers which keys were valid in the last minutes, by the hashes of their
// texts. It only decides which limits apply to a request: the key of every request is
// looked up, so that one that was revoked is refused.
type knownKeys = recent.Set[keyHash]

const (
	knownFor     = 10 * time.Minute
	maxKnownKeys = 10_000
)

func newKnownKeys() *knownKeys { return recent.NewSet[keyHash](knownFor, maxKnownKeys) }

type keyHash [32]byte

func hashOf(text string) keyHash { return keyHash(nfse.HashAPIKey(text)) }
