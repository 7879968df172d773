package main

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"time"

	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
)

// machine is what the figures depend on.
type machine struct {
	at       time.Time
	cores    int
	memory   string
	postgres string
	inMemory bool // the database's files are
	temporal string
	shards   int32
}

// String is a paragraph for the reader.
func (m machine) String() string {
	disk := "on disk"
	if m.inMemory {
		disk = "in memory, so that a commit costs no disk"
	}
	return fmt.Sprintf("%s. Everything on one machine: %d cores, %s of memory, Linux, Go %s.\n"+
		"PostgreSQL %s, its files %s. Temporal %s, %d history shards.",
		m.at.UTC().Format("2006-01-02 15:04 MST"), m.cores, m.memory, strings.TrimPrefix(runtime.Version(), "go"),
		m.postgres, disk, m.temporal, m.shards)
}

func (b *bench) describeMachine(ctx context.Context) (m machine, err error) {
	m = machine{at: time.Now(), cores: runtime.NumCPU(), memory: "unknown"}
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) == nil {
		m.memory = fmt.Sprintf("%.0f GB", float64(info.Totalram)*float64(info.Unit)/(1<<30))
	}
	if err := b.database.SQL.GetContext(ctx, &m.postgres, `
		SELECT split_part(current_setting('server_version'), ' ', 1) || ' (' ||
			string_agg(name || ' ' || current_setting(name), ', ' ORDER BY name) || ')'
		FROM pg_settings WHERE name IN
			('max_connections', 'shared_buffers', 'fsync', 'synchronous_commit', 'max_wal_size')`); err != nil {
		return m, err
	}
	var directory string
	if err := b.database.SQL.GetContext(ctx, &directory, `SELECT current_setting('data_directory')`); err != nil {
		return m, err
	}
	const tmpfs = 0x01021994
	var files syscall.Statfs_t
	m.inMemory = syscall.Statfs(directory, &files) == nil && files.Type == tmpfs
	engine, err := client.NewLazyClient(client.Options{HostPort: b.stack.TemporalAddress})
	if err != nil {
		return m, err
	}
	defer engine.Close()
	cluster, err := engine.WorkflowService().GetClusterInfo(ctx, &workflowservice.GetClusterInfoRequest{})
	if err != nil {
		return m, err
	}
	m.temporal, m.shards = cluster.GetServerVersion(), cluster.GetHistoryShardCount()
	return m, nil
}
