package cli

import (
	"context"
	"fmt"

	"emissor/internal/seal"
	"emissor/internal/seal/kms"
	"emissor/internal/seal/rotation"
)

// KEK is the key of a KMS that encrypts the keyset, if one does.
func (c Config) KEK(ctx context.Context) (seal.KEK, error) {
	kek, err := kms.Open(ctx, c.KeysetKEK)
	if err != nil {
		return nil, fmt.Errorf("EMISSOR_KEYSET_KEK: %w", err)
	}
	return kek, nil
}

// Sealer opens the keyset.
func (c Config) Sealer(ctx context.Context) (*seal.Sealer, error) {
	kek, err := c.KEK(ctx)
	if err != nil {
		return nil, err
	}
	return seal.Open(seal.Source{File: c.KeysetFile, Text: c.Keyset, KEK: kek})
}

// Sealing opens the keyset for a command that seals a secret.
func (s *CommandRun) Sealing(ctx context.Context) (*seal.Sealer, error) {
	sealer, err := s.Config.Sealer(ctx)
	if err != nil {
		return nil, err
	}
	return sealer, rotation.CheckCurrent(ctx, s.Store, sealer.Keys())
}
