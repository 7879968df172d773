package objects

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go"

	"emissor/internal/archive"
)

// bucket keeps objects in a service with the S3 API. Amazon's own client is used, because it is in the program
// anyway, for key services; credentials come from where it looks for them.
type bucket struct {
	client  *s3.Client
	address Address
}

func newBucket(ctx context.Context, address Address) (Store, error) {
	loaded, err := config.LoadDefaultConfig(ctx, config.WithRegion(address.Region), config.WithRetryMaxAttempts(2),
		config.WithRequestChecksumCalculation(aws.RequestChecksumCalculationWhenRequired),
		config.WithResponseChecksumValidation(aws.ResponseChecksumValidationWhenRequired))
	if err != nil {
		return nil, fmt.Errorf("objects: %w", err)
	}
	client := s3.NewFromConfig(loaded, func(o *s3.Options) {
		if address.Endpoint != "" { // most other services have no host name for each bucket
			o.BaseEndpoint, o.UsePathStyle = aws.String(address.Endpoint), true
		}
	})
	return bucket{client, address}, nil
}

func (b bucket) name(key string) *string { return aws.String(path.Join(b.address.Prefix, key)) }

// Put implements Store.
func (b bucket) Put(ctx context.Context, key string, content []byte) error {
	if err := checkKey(key); err != nil {
		return err
	}
	_, err := b.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: aws.String(b.address.Bucket), Key: b.name(key), Body: bytes.NewReader(content),
		ContentLength: aws.Int64(int64(len(content))), ContentType: aws.String("application/octet-stream"),
	})
	return explained(key, err)
}

// Read implements Store.
func (b bucket) Read(ctx context.Context, key string, from int64, length int) ([]byte, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	object, err := b.client.GetObject(ctx, &s3.GetObjectInput{
		Bucket: aws.String(b.address.Bucket), Key: b.name(key),
		Range: aws.String(fmt.Sprintf("bytes=%d-%d", from, from+int64(length)-1)),
	})
	if err != nil {
		return nil, explained(key, err)
	}
	defer func() { _ = object.Body.Close() }()
	content := make([]byte, length)
	if _, err := io.ReadFull(object.Body, content); err != nil {
		return nil, fmt.Errorf("objects: %s was cut off: %w", key, err)
	}
	return content, nil
}

// Delete implements Store.
func (b bucket) Delete(ctx context.Context, key string) error {
	if err := checkKey(key); err != nil {
		return err
	}
	_, err := b.client.DeleteObject(ctx, &s3.DeleteObjectInput{
		Bucket: aws.String(b.address.Bucket), Key: b.name(key),
	})
	if err = explained(key, err); errors.Is(err, archive.ErrNotThere) {
		return nil
	}
	return err
}

// explained says which object an error is about. Only an answer that there is no such key is ErrNotThere: that there
// is no such bucket is another.
func explained(key string, err error) error {
	var answer smithy.APIError
	var response interface{ HTTPStatusCode() int }
	switch {
	case err == nil:
		return nil
	case errors.As(err, &answer) && (answer.ErrorCode() == "NoSuchKey" || answer.ErrorCode() == "InvalidRange"):
		return fmt.Errorf("%w: %s: %w", archive.ErrNotThere, key, err)
	case errors.As(err, &response) && response.HTTPStatusCode() == http.StatusForbidden:
		return fmt.Errorf("%w: %s: %w", archive.ErrRefused, key, err)
	}
	return fmt.Errorf("objects: %s: %w", key, err)
}
