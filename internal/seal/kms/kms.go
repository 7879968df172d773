// Package kms reaches the keys of key management services that encrypt the
// keyset. The key never leaves its service: only the keyset, a few hundred bytes,
// goes there to be encrypted or opened.
//
//	kek, err := kms.Open(ctx, "aws-kms://arn:aws:kms:sa-east-1:123456789012:key/...")
//	sealer, err := seal.Open(seal.Source{File: keysetFile, KEK: kek})
//
// Credentials are found as the service's own tools find them: in the environment,
// in a file, or from the machine.
package kms

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/tink-crypto/tink-go-awskms/v3/integration/awskms"

	"emissor/internal/seal"
)

const (
	awsPrefix = "aws-kms://"

	callTimeout = 30 * time.Second
	mostAnswer  = 1 << 20 // bytes
)

// Open returns the key that a URI names, in the form of Tink's URIs; nil for an
// empty one. It asks nothing of the service yet.
func Open(ctx context.Context, uri string) (seal.KEK, error) {
	name, google := strings.CutPrefix(uri, googlePrefix)
	vaultPath, vault := strings.CutPrefix(uri, vaultPrefix)
	switch {
	case uri == "":
		return nil, nil
	case strings.HasPrefix(uri, awsPrefix):
		client, err := awskms.NewClientWithOptions(ctx, uri)
		if err != nil {
			return nil, err
		}
		return client.GetAEAD(uri)
	case google && googleName.MatchString(name):
		return openGoogle(ctx, name)
	case vault && vaultName.MatchString(vaultPath):
		return openVault(vaultPath)
	}
	return nil, errors.New("the key of a KMS must look like aws-kms://arn:aws:kms:REGION:ACCOUNT:key/ID, " +
		"gcp-kms://projects/PROJECT/locations/LOCATION/keyRings/RING/cryptoKeys/KEY or " +
		"hcvault://HOST:PORT/transit/keys/KEY")
}
