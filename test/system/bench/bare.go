package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// inFlight is how many bare workflows are open at once.
const inFlight = 32

// measureBare measures the bare workflows, to which every ratio is.
func (b *bench) measureBare(ctx context.Context) error {
	report, err := b.runEngine(ctx, engineLoad{
		Workflow: twoActivities, InFlight: inFlight,
		Warmup: b.options.window(2 * time.Second), Duration: b.options.window(12 * time.Second),
	})
	if err == nil {
		b.report.addBare(report)
	}
	return err
}

// measureEmpty measures the least that a workflow costs.
func (b *bench) measureEmpty(ctx context.Context) error {
	report, err := b.runEngine(ctx, engineLoad{
		Workflow: empty, InFlight: inFlight,
		Warmup: b.options.window(3 * time.Second), Duration: b.options.window(15 * time.Second),
	})
	if err == nil {
		b.report.add(result{
			name: "empty workflow, eager start", rate: report.rate(),
			detail: fmt.Sprintf("%d in flight; %s", inFlight, percentiles(report.P50, report.P99)),
		})
	}
	return err
}

// runEngine runs a process of a bare engine.
func (b *bench) runEngine(ctx context.Context, load engineLoad) (engineReport, error) {
	var report engineReport
	self, err := os.Executable()
	if err != nil {
		return report, err
	}
	log, err := os.OpenFile(filepath.Join(b.dir, "engine.log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return report, err
	}
	defer log.Close()
	command := exec.CommandContext(ctx, self, engineCommand, "-workflow", load.Workflow,
		"-in-flight", fmt.Sprint(load.InFlight), "-warmup", load.Warmup.String(), "-duration", load.Duration.String())
	command.Stderr = log
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	output, err := command.StdoutPipe()
	if err != nil {
		return report, err
	}
	if err := command.Start(); err != nil {
		return report, err
	}
	if err := json.NewDecoder(output).Decode(&report); err != nil {
		_ = command.Wait()
		return report, fmt.Errorf("the bare engine printed no report (%s): %w", log.Name(), err)
	}
	err = command.Wait()
	report.Seconds = load.Duration.Seconds()
	report.CPU = command.ProcessState.UserTime() + command.ProcessState.SystemTime()
	return report, err
}
