package dispatch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"google.golang.org/grpc/codes"

	"emissor/workflows"
)

// CheckNamespace returns an error if the engine does not answer, has no such namespace, or does not let us in.
func CheckNamespace(ctx context.Context, c client.Client, namespace string) error {
	_, err := c.WorkflowService().DescribeNamespace(ctx,
		&workflowservice.DescribeNamespaceRequest{Namespace: namespace})
	if isForbidden(err) {
		return fmt.Errorf("it does not let us in: TEMPORAL_API_KEY or the certificate of "+
			"TEMPORAL_TLS_CLIENT_CERT_PATH is wrong, has expired, or is not for this namespace (%w)", err)
	}
	return err
}

// searchAttributes are those by which notes are found. An engine refuses a start with one that it does not know.
var searchAttributes = []temporal.SearchAttributeKey{workflows.NoteIDAttribute}

// MissingAttributes is the error of a namespace that lacks search attributes.
type MissingAttributes struct {
	Namespace string
	Missing   []temporal.SearchAttributeKey
	Problem   string // why they could not be added; empty: nobody tried
}

// Error names them, and says how they are made.
func (e *MissingAttributes) Error() string {
	var named, flags []string
	for _, key := range e.Missing {
		named = append(named, fmt.Sprintf("%s (%s)", key.GetName(), key.GetValueType()))
		flags = append(flags, fmt.Sprintf(`--search-attribute "%s=%s"`, key.GetName(), key.GetValueType()))
	}
	missing := fmt.Sprintf("the namespace %s lacks the search attributes %s", e.Namespace, strings.Join(named, ", "))
	if e.Problem == "" {
		return missing + ": run `emissor migrate`"
	}
	return fmt.Sprintf("%s, and does not let us add them (%s); who may has to: for Temporal Cloud "+
		"`tcld namespace search-attributes add --namespace %s %s`", missing, e.Problem, e.Namespace,
		strings.Join(flags, " "))
}

// ErrAttributesUnseen is the error of an engine that does not let us see its search attributes.
var ErrAttributesUnseen = errors.New("the engine does not let us see its search attributes")

// CheckSearchAttributes returns nil if the namespace has all search attributes, a *MissingAttributes if it lacks
// some, and ErrAttributesUnseen if the engine does not say.
func CheckSearchAttributes(ctx context.Context, c client.Client, namespace string) error {
	listed, err := c.OperatorService().ListSearchAttributes(ctx,
		&operatorservice.ListSearchAttributesRequest{Namespace: namespace})
	if isRefused(err) {
		return fmt.Errorf("%w: %w", ErrAttributesUnseen, err)
	}
	if err != nil {
		return fmt.Errorf("list search attributes: %w", err)
	}
	missing := slices.DeleteFunc(slices.Clone(searchAttributes), func(key temporal.SearchAttributeKey) bool {
		_, known := listed.CustomAttributes[key.GetName()]
		return known
	})
	if len(missing) > 0 {
		return &MissingAttributes{Namespace: namespace, Missing: missing}
	}
	return nil
}

// RegisterSearchAttributes adds the search attributes that the namespace lacks; `emissor migrate` does it. It returns
// the errors of CheckSearchAttributes, and a *MissingAttributes with the problem where the engine refuses to add
// them.
func RegisterSearchAttributes(ctx context.Context, c client.Client, namespace string) error {
	err := CheckSearchAttributes(ctx, c, namespace)
	var lacks *MissingAttributes
	if !errors.As(err, &lacks) {
		return err
	}
	added := map[string]enums.IndexedValueType{}
	for _, key := range lacks.Missing {
		added[key.GetName()] = key.GetValueType()
	}
	_, err = c.OperatorService().AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{
		Namespace:        namespace,
		SearchAttributes: added,
	})
	if isRefused(err) {
		lacks.Problem = err.Error()
		return lacks
	}
	if err != nil {
		return fmt.Errorf("add search attributes: %w", err)
	}
	return nil
}

// isForbidden reports whether the engine does not let us do this.
func isForbidden(err error) bool {
	code := serviceerror.ToStatus(err).Code()
	return code == codes.PermissionDenied || code == codes.Unauthenticated
}

// isRefused reports whether it does not do this for us: we may not, or there is no such call, as at Temporal Cloud.
func isRefused(err error) bool {
	return isForbidden(err) || serviceerror.ToStatus(err).Code() == codes.Unimplemented
}
