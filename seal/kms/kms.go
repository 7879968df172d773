// Package kms reaches the keys of key management services that encrypt the
// keyset. The key never leaves its service: only the keyset, a few hundred bytes,
// goes there to be encrypted or opened.
//
//	kek, err := kms.Open(ctx, "aws-kms://arn:aws:kms:sa-east-1:123456789012:key/...")
//	sealer, err := seal.Open(seal.Source{File: keysetFile, KEK: kek})
//
// Credentials are found as the service's own tools find them: in the environment,
// in a profile, or from the machine. Both are Tink's clients.
package kms

import (
	"context"
	"errors"
	"strings"

	"github.com/tink-crypto/tink-go-awskms/v3/integration/awskms"
	"github.com/tink-crypto/tink-go-gcpkms/v2/integration/gcpkms"
	"github.com/tink-crypto/tink-go/v2/core/registry"
	"github.com/tink-crypto/tink-go/v2/tink"
	"google.golang.org/api/option"
)

// The beginnings of the URIs.
const (
	awsPrefix = "aws-kms://"
	gcpPrefix = "gcp-kms://"
)

// Open returns the key that a URI names; nil for an empty one. It asks nothing of
// the service yet.
func Open(ctx context.Context, uri string) (tink.AEAD, error) { return open(ctx, uri) }

func open(ctx context.Context, uri string, google ...option.ClientOption) (tink.AEAD, error) {
	var client registry.KMSClient
	var err error
	switch {
	case uri == "":
		return nil, nil
	case strings.HasPrefix(uri, awsPrefix):
		client, err = awskms.NewClientWithOptions(ctx, uri)
	case strings.HasPrefix(uri, gcpPrefix):
		client, err = gcpkms.NewClient(ctx, uri, gcpkms.WithTransport(gcpkms.TransportREST),
			gcpkms.WithGoogleAPIClientOptions(google...))
	default:
		err = errors.New("the key of a KMS must look like aws-kms://arn:aws:kms:REGION:ACCOUNT:key/ID or " +
			"gcp-kms://projects/PROJECT/locations/LOCATION/keyRings/RING/cryptoKeys/KEY")
	}
	if err != nil {
		return nil, err
	}
	return client.GetAEAD(uri)
}
