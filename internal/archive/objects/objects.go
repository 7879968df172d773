// Package objects keeps objects outside the database: in a service with the S3 API, or in a folder. An object is
// written once and never changed; a new content gets a new key. Callers that read check digests of their own: an
// object storage may cut, mix up or lose what it was given, and this package believes none of its words.
package objects

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"

	"emissor/internal/outgoing"
)

// Store keeps objects.
type Store interface {
	// Put writes an object.
	Put(ctx context.Context, key string, content []byte) error
	// Read reads so many bytes of an object. Fewer are an error.
	Read(ctx context.Context, key string, from int64, length int) ([]byte, error)
	// Delete removes an object. One that is not there is none.
	Delete(ctx context.Context, key string) error
}

// Address says where objects are kept.
type Address struct {
	Folder string // an absolute path; empty: a bucket

	Bucket   string
	Prefix   string // of all keys, without slashes at its ends
	Endpoint string // URL of a service other than Amazon's; empty: that one
	Region   string
}

// IsZero reports whether no address was given.
func (a Address) IsZero() bool { return a == Address{} }

// ParseAddress reads file:///folder, or s3://bucket/prefix?region=REGION&endpoint=URL.
func ParseAddress(text string) (address Address, err error) {
	parsed, err := url.Parse(text)
	switch {
	case err != nil || parsed.User != nil || parsed.Fragment != "":
		return address, errors.New("must be s3://bucket/prefix?region=REGION&endpoint=URL or file:///folder, " +
			"without a password")
	case parsed.Scheme == "file" && parsed.Host == "" && path.IsAbs(parsed.Path) && parsed.RawQuery == "":
		return Address{Folder: path.Clean(parsed.Path)}, nil
	case parsed.Scheme != "s3" || parsed.Host == "":
		return address, errors.New("must begin with s3://bucket or file:///")
	}
	address = Address{Bucket: parsed.Host, Prefix: strings.Trim(path.Clean("/"+parsed.Path), "/")}
	for name, values := range parsed.Query() {
		switch name {
		case "region":
			address.Region = values[0]
		case "endpoint":
			address.Endpoint = values[0]
		default:
			return Address{}, errors.New("must have nothing after the question mark but region and endpoint")
		}
	}
	if address.Region == "" {
		return Address{}, errors.New("must say the region, as s3://bucket/prefix?region=sa-east-1")
	}
	if address.Endpoint == "" {
		return address, nil
	}
	endpoint, err := url.Parse(address.Endpoint)
	if err != nil || endpoint.Host == "" || endpoint.User != nil ||
		endpoint.Scheme != "https" && (endpoint.Scheme != "http" || !outgoing.IsThisMachine(endpoint.Hostname())) {
		return Address{}, errors.New("must have an endpoint that begins with https://; http:// is for this machine only")
	}
	return address, nil
}

// Open makes the store of an address. It connects to nothing yet.
func Open(ctx context.Context, address Address) (Store, error) {
	if address.Folder != "" {
		return folder{address.Folder}, nil
	}
	return newBucket(ctx, address)
}

// checkKey refuses keys that would be something else in a folder.
func checkKey(key string) error {
	if key == "" || path.IsAbs(key) || path.Clean(key) != key || strings.HasPrefix(key, ".") {
		return fmt.Errorf("objects: %q is no key", key)
	}
	return nil
}
