//go:build cluster

package kubernetes

import (
	"archive/tar"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// The images, which stand in for those that a registry would have: no registry is asked.
const (
	pauseImage   = "registry.test/pause:1"
	productImage = "registry.test/emissor"
)

// importImages makes the images and gives them to the node. The product's stands in for what the Dockerfile makes: the
// same static program in a root of busybox instead of Alpine, under each of the tags.
func (c *cluster) importImages(t *testing.T, tags ...string) {
	t.Helper()
	root := t.TempDir()
	must(t, copyFile("/bin/busybox", filepath.Join(root, "bin/busybox"), 0o755))
	for _, name := range []string{"sleep", "sh", "cat", "env", "nc"} {
		must(t, os.Symlink("busybox", filepath.Join(root, "bin", name)))
	}
	c.importImage(t, root, []string{pauseImage}, []string{"/bin/sleep", "infinity"})

	must(t, copyFile(filepath.Join(c.programs, "emissor"), filepath.Join(root, "usr/local/bin/emissor"), 0o755))
	for _, file := range []string{"etc/ssl/certs/ca-certificates.crt", "usr/share/zoneinfo/America/Sao_Paulo"} {
		must(t, copyFile("/"+file, filepath.Join(root, file), 0o644))
	}
	must(t, os.WriteFile(filepath.Join(root, "etc/passwd"), []byte("emissor:x:10001:10001::/:/bin/false\n"), 0o644))
	must(t, os.Mkdir(filepath.Join(root, "tmp"), 0o1777))
	var names []string
	for _, tag := range tags {
		names = append(names, productImage+":"+tag)
	}
	c.importImage(t, root, names, []string{"/usr/local/bin/emissor"})
}

// importImage imports a folder as an image of one layer, in the format of docker save.
func (c *cluster) importImage(t *testing.T, root string, names, entrypoint []string) {
	t.Helper()
	layer := filepath.Join(t.TempDir(), "layer.tar")
	file, err := os.Create(layer)
	must(t, err)
	sum := sha256.New()
	written := tar.NewWriter(io.MultiWriter(file, sum))
	must(t, errors.Join(written.AddFS(os.DirFS(root)), written.Close(), file.Close()))
	config, err := json.Marshal(map[string]any{
		"architecture": "amd64", "os": "linux",
		"config": map[string]any{"Entrypoint": entrypoint, "Env": []string{"PATH=/usr/local/bin:/bin"}},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{"sha256:" + hex.EncodeToString(sum.Sum(nil))}},
	})
	must(t, err)
	manifest, err := json.Marshal([]map[string]any{
		{"Config": "config.json", "RepoTags": names, "Layers": []string{"layer.tar"}}})
	must(t, err)
	folder := filepath.Dir(layer)
	must(t, errors.Join(os.WriteFile(filepath.Join(folder, "config.json"), config, 0o600),
		os.WriteFile(filepath.Join(folder, "manifest.json"), manifest, 0o600)))
	archive := filepath.Join(t.TempDir(), "image.tar")
	file, err = os.Create(archive)
	must(t, err)
	written = tar.NewWriter(file)
	must(t, errors.Join(written.AddFS(os.DirFS(folder)), written.Close(), file.Close()))
	if output, err := c.ctr("images", "import", "--local", archive); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}

func copyFile(from, to string, mode fs.FileMode) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return errors.Join(os.WriteFile(to, content, mode), os.Chmod(to, mode))
}
