package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
	"golang.org/x/sync/errgroup"
)

// engineCommand is the subcommand under which the program runs workflows that
// have nothing to do with notes. It does so in a process of its own, so that
// their CPU time is separate from what the rows cost.
const engineCommand = "internal-engine"

// The workflows of a bare engine.
const (
	twoActivities = "two-activities"
	empty         = "empty"
)

// engineLoad is what a bare engine is measured with.
type engineLoad struct {
	Workflow string
	InFlight int
	Warmup   time.Duration
	Duration time.Duration
}

// engineReport is what a bare engine did.
type engineReport struct {
	Ended    int           // in the time that was measured
	All      int           // with the warm-up
	P50, P99 time.Duration // from start to end of one
	Sample   []string      // ids of some

	Seconds float64       // that were measured
	CPU     time.Duration // of its process
}

func (r engineReport) rate() float64 { return float64(r.Ended) / r.Seconds }

// bare is the least that durable work with two calls to the outside needs: a
// task for the beginning, and one after each activity.
func bare(ctx workflow.Context) error {
	ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{StartToCloseTimeout: time.Minute})
	for range 2 {
		if err := workflow.ExecuteActivity(ctx, noop).Get(ctx, nil); err != nil {
			return err
		}
	}
	return nil
}

func noop(context.Context) error { return nil }

func nothing(workflow.Context) error { return nil }

// serveEngine is the process of a bare engine: worker and clients. It prints its
// report.
func serveEngine(args []string) error {
	var load engineLoad
	flags := flag.NewFlagSet(engineCommand, flag.ExitOnError)
	flags.StringVar(&load.Workflow, "workflow", twoActivities, "")
	flags.IntVar(&load.InFlight, "in-flight", 0, "")
	flags.DurationVar(&load.Warmup, "warmup", 0, "")
	flags.DurationVar(&load.Duration, "duration", 0, "")
	_ = flags.Parse(args) // ExitOnError: it does not return an error

	logger := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	engine, err := dialEngine(logger)
	if err != nil {
		return err
	}
	defer engine.Close()
	queue := fmt.Sprintf("bench-%s-%d", load.Workflow, os.Getpid())
	w := worker.New(engine, queue, engineWorkerOptions())
	w.RegisterWorkflowWithOptions(bare, workflow.RegisterOptions{Name: twoActivities})
	w.RegisterWorkflowWithOptions(nothing, workflow.RegisterOptions{Name: empty})
	w.RegisterActivity(noop)
	if err := w.Start(); err != nil {
		return err
	}
	defer w.Stop()
	report, err := load.drive(context.Background(), engine, queue)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(report)
}

func dialEngine(logger *slog.Logger) (client.Client, error) {
	return client.Dial(client.Options{
		HostPort:  os.Getenv("TEMPORAL_ADDRESS"),
		Namespace: os.Getenv("TEMPORAL_NAMESPACE"),
		Logger:    log.NewStructuredLogger(logger),
	})
}

// engineWorkerOptions returns the options of Emissor's own workers (package worker).
func engineWorkerOptions() worker.Options {
	return worker.Options{
		WorkflowTaskPollerBehavior: worker.NewPollerBehaviorAutoscaling(worker.PollerBehaviorAutoscalingOptions{}),
		ActivityTaskPollerBehavior: worker.NewPollerBehaviorSimpleMaximum(worker.PollerBehaviorSimpleMaximumOptions{
			MaximumNumberOfPollers: 16,
		}),
	}
}

// drive keeps so many workflows open: where one has ended the next is started.
// Those that end after the warm-up, and before the time is over, count.
func (l engineLoad) drive(ctx context.Context, engine client.Client, queue string) (engineReport, error) {
	var started, ended atomic.Int64
	var took durations
	var group errgroup.Group
	begin := time.Now().Add(l.Warmup)
	end := begin.Add(l.Duration)
	for range l.InFlight {
		group.Go(func() error {
			for time.Now().Before(end) {
				id := engineID(queue, started.Add(1))
				at := time.Now()
				run, err := engine.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
					ID: id, TaskQueue: queue, EnableEagerStart: l.Workflow == empty,
				}, l.Workflow)
				if err != nil {
					return err
				}
				if err := run.Get(ctx, nil); err != nil {
					return err
				}
				if now := time.Now(); now.After(begin) && now.Before(end) {
					ended.Add(1)
					took.add(now.Sub(at))
				}
			}
			return nil
		})
	}
	err := group.Wait()
	report := engineReport{Ended: int(ended.Load()), All: int(started.Load()), P50: took.at(50), P99: took.at(99)}
	for n := range min(started.Load(), sampleSize) {
		report.Sample = append(report.Sample, engineID(queue, started.Load()-n))
	}
	return report, err
}

func engineID(queue string, n int64) string { return fmt.Sprintf("%s/%d", queue, n) }
