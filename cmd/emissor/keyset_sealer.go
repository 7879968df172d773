package main

import (
	"context"
	"fmt"

	"emissor/internal/seal"
	"emissor/internal/seal/kms"
	"emissor/internal/seal/rotation"
)

// kek is the key of a KMS that encrypts the keyset, if one does.
func (c config) kek(ctx context.Context) (seal.KEK, error) {
	kek, err := kms.Open(ctx, c.KeysetKEK)
	if err != nil {
		return nil, fmt.Errorf("EMISSOR_KEYSET_KEK: %w", err)
	}
	return kek, nil
}

// sealer opens the keyset.
func (c config) sealer(ctx context.Context) (*seal.Sealer, error) {
	kek, err := c.kek(ctx)
	if err != nil {
		return nil, err
	}
	return seal.Open(seal.Source{File: c.KeysetFile, Text: c.Keyset, KEK: kek})
}

// sealing opens the keyset for a command that seals a secret.
func (s *commandRun) sealing(ctx context.Context) (*seal.Sealer, error) {
	sealer, err := s.config.sealer(ctx)
	if err != nil {
		return nil, err
	}
	return sealer, rotation.CheckCurrent(ctx, s.store, sealer.Keys())
}
