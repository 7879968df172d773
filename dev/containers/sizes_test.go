//go:build containers

package containers

import "testing"

// sizes prints what docs/operations/sizing.md has a table of.
func (i *installation) sizes(t *testing.T) {
	t.Logf("sizes of images, those of stand-ins among them:\n%s",
		i.machine.run(t, `docker images --filter dangling=false --format 'table {{.Repository}}:{{.Tag}}\t{{.Size}}'`))
	t.Logf("memory of containers:\n%s",
		i.machine.run(t, `docker stats --no-stream --format 'table {{.Name}}\t{{.MemUsage}}'`))
}
