// Command temporal is a stand-in for Temporal's own command of that name, whose module does not build with the server's
// here: the four calls that deploy/temporal/namespace.sh makes, against the real server.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/durationpb"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "temporal:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) < 3 {
		return fmt.Errorf("this stand-in has no command %q", arguments)
	}
	flags := flag.NewFlagSet("temporal", flag.ContinueOnError)
	namespace := flags.String("namespace", "default", "")
	retention := flags.Duration("retention", 72*time.Hour, "")
	description := flags.String("description", "", "")
	if err := flags.Parse(arguments[3:]); err != nil {
		return err
	}
	connection, err := grpc.NewClient(os.Getenv("TEMPORAL_ADDRESS"),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()

	workflows := workflowservice.NewWorkflowServiceClient(connection)
	switch command := strings.Join(arguments[:3], " "); command {
	case "operator cluster health":
		_, err = workflows.GetSystemInfo(ctx, &workflowservice.GetSystemInfoRequest{})
	case "operator namespace describe":
		_, err = workflows.DescribeNamespace(ctx, &workflowservice.DescribeNamespaceRequest{Namespace: *namespace})
	case "operator namespace create":
		_, err = workflows.RegisterNamespace(ctx, &workflowservice.RegisterNamespaceRequest{
			Namespace: *namespace, Description: *description,
			WorkflowExecutionRetentionPeriod: durationpb.New(*retention),
		})
	case "operator search-attribute list":
		_, err = operatorservice.NewOperatorServiceClient(connection).ListSearchAttributes(ctx,
			&operatorservice.ListSearchAttributesRequest{Namespace: *namespace})
	default:
		return fmt.Errorf("this stand-in has no command %q", command)
	}
	return err
}
