package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"google.golang.org/protobuf/types/known/durationpb"

	"emissor/test/harness"
)

// What Temporal's databases are when PostgreSQL was restored.
const (
	engineNewer = "newer" // kept: it knows of notes that the database does not
	engineOlder = "older" // brought back from an earlier dump
	engineLost  = "lost"  // empty
)

// engine is Temporal, as an installation uses it.
type engine struct {
	drill     *drill
	queues    string // what the names of the task queues begin with
	namespace string
	dumps     []string // files of its databases
}

func (d *drill) newEngine() *engine {
	return &engine{drill: d, queues: newQueues(), namespace: d.stack.TemporalNamespace}
}

// environment is how processes and commands find it.
func (e *engine) environment() []string {
	return []string{"TEMPORAL_ADDRESS=" + e.drill.stack.TemporalAddress, "TEMPORAL_NAMESPACE=" + e.namespace}
}

// engineDatabases are Temporal's databases in the development stack's PostgreSQL.
var engineDatabases = []string{"temporal", "temporal_visibility"}

// dump keeps its databases as they are now.
func (e *engine) dump(ctx context.Context) error {
	for _, name := range engineDatabases {
		file := filepath.Join(e.drill.dir, name+".dump")
		if err := e.tool(ctx, name, `pg_dump --format=custom --file="$FILE" --dbname="$DATABASE"`, "FILE="+file); err != nil {
			return err
		}
		e.dumps = append(e.dumps, file)
	}
	return nil
}

// become makes it what it is to be after the loss.
func (e *engine) become(ctx context.Context, what string) error {
	switch what {
	case engineLost:
		e.namespace = "drill-" + newQueues()
		return e.register(ctx)
	case engineOlder:
		return e.bringBack(ctx)
	}
	return nil
}

// bringBack replaces its databases by the dump of them.
func (e *engine) bringBack(ctx context.Context) error {
	stack := e.drill.stack
	if err := stack.Control(ctx, "kill", harness.Temporal); err != nil {
		return err
	}
	for n, name := range engineDatabases {
		if err := e.tool(ctx, "postgres", `psql -X -q -v ON_ERROR_STOP=1 --dbname="$DATABASE" \
			-c "DROP DATABASE $NAME WITH (FORCE)" -c "CREATE DATABASE $NAME"`, "NAME="+name); err != nil {
			return err
		}
		if err := e.tool(ctx, name, `pg_restore --exit-on-error --dbname="$DATABASE" "$FILE"`,
			"FILE="+e.dumps[n]); err != nil {
			return err
		}
	}
	return stack.Control(ctx, "start", harness.Temporal)
}

// tool runs a script with programs of PostgreSQL at one of the development stack's databases.
func (e *engine) tool(ctx context.Context, database, script string, environment ...string) error {
	address, err := url.Parse(e.drill.stack.DatabaseURL)
	if err != nil {
		return err
	}
	address.Path = "/" + database
	_, err = runScript(ctx, nil, append(environment, "DATABASE="+address.String(),
		"PATH="+e.drill.programs+":"+os.Getenv("PATH")), script)
	return err
}

// register makes the namespace.
func (e *engine) register(ctx context.Context) error {
	namespaces, err := client.NewNamespaceClient(client.Options{HostPort: e.drill.stack.TemporalAddress, Logger: noLog()})
	if err != nil {
		return err
	}
	defer namespaces.Close()
	if err := namespaces.Register(ctx, &workflowservice.RegisterNamespaceRequest{
		Namespace: e.namespace, WorkflowExecutionRetentionPeriod: durationpb.New(72 * time.Hour),
	}); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute) // frontends hear of it later
	defer cancel()
	return harness.Await(ctx, "the namespace can be used", func(ctx context.Context) bool {
		c, err := e.client()
		if err != nil {
			return false
		}
		defer c.Close()
		_, err = c.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{})
		return err == nil
	})
}

func (e *engine) client() (client.Client, error) {
	return client.NewLazyClient(client.Options{
		HostPort: e.drill.stack.TemporalAddress, Namespace: e.namespace, Logger: noLog(),
	})
}

// maintain begins the next round of the maintenance now: it comes every five minutes.
func (e *engine) maintain(ctx context.Context) error {
	c, err := e.client()
	if err != nil {
		return err
	}
	defer c.Close()
	var triggered error
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	err = harness.Await(ctx, "the schedule of the maintenance is there", func(ctx context.Context) bool {
		triggered = c.ScheduleClient().GetHandle(ctx, e.queues+"-maintenance").Trigger(ctx,
			client.ScheduleTriggerOptions{})
		return triggered == nil
	})
	return errors.Join(err, triggered)
}

// openRuns are the runs of notes that are open. What its visibility lists alone is none: the dumps of its two
// databases are not of the same moment.
func (e *engine) openRuns(ctx context.Context) (open []string, err error) {
	stack := e.drill.stack
	stack.TemporalNamespace = e.namespace
	listed, err := stack.OpenRuns(ctx, e.queues)
	if err != nil {
		return nil, fmt.Errorf("list runs: %w", err)
	}
	c, err := e.client()
	if err != nil {
		return nil, err
	}
	defer c.Close()
	for _, id := range listed {
		run, err := c.DescribeWorkflow(ctx, id, "")
		if missing := new(serviceerror.NotFound); errors.As(err, &missing) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("describe a run: %w", err)
		}
		if run.Status == enums.WORKFLOW_EXECUTION_STATUS_RUNNING {
			open = append(open, id)
		}
	}
	return open, nil
}

// lastEvents are the last events of a run, by which one sees what it waits for.
func (e *engine) lastEvents(ctx context.Context, id string) string {
	c, err := e.client()
	if err != nil {
		return err.Error()
	}
	defer c.Close()
	var events []string
	history := c.GetWorkflowHistory(ctx, id, "", false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for history.HasNext() {
		event, err := history.Next()
		if err != nil {
			return err.Error()
		}
		events = append(events, event.GetEventTime().AsTime().Format("15:04:05 ")+event.GetEventType().String())
	}
	return strings.Join(events[max(0, len(events)-5):], ", ")
}

func noLog() log.Logger { return log.NewStructuredLogger(slog.New(slog.DiscardHandler)) }
