package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// user is the one that the program runs as, as in the Dockerfile.
const user = "10001"

// writeImage writes the image of a platform. It has no base: the program is one static file, with time zones and the
// CAs of the web built in. The file is what `docker save` writes too, an OCI layout with Docker's list beside it, for
// `docker load`, `podman load` and `ctr images import`.
func (s source) writeImage(file, platform, binary, licences string) error {
	content, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	image, err := s.image(platform, content, licences)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "emissor-image")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	reference := "emissor:" + s.version
	index, err := layout.Write(folder, empty.Index)
	if err != nil {
		return err
	}
	system, architecture, _ := strings.Cut(platform, "/")
	if err := index.AppendImage(image, layout.WithPlatform(v1.Platform{OS: system, Architecture: architecture}),
		layout.WithAnnotations(map[string]string{
			"org.opencontainers.image.ref.name": s.version,
			"io.containerd.image.name":          "docker.io/library/" + reference,
		})); err != nil {
		return err
	}
	if err := writeDockerList(filepath.Join(folder, "manifest.json"), image, reference); err != nil {
		return err
	}
	packed, err := s.pack(os.DirFS(folder))
	if err != nil {
		return err
	}
	return os.WriteFile(file, packed, 0o644)
}

func (s source) image(platform string, binary []byte, licences string) (v1.Image, error) {
	files, err := tarOf(s.committed, []entry{
		{name: "etc/", mode: 0o755},
		{name: "etc/group", mode: 0o644, content: []byte("emissor:x:" + user + ":\n")},
		{name: "etc/passwd", mode: 0o644, content: []byte("emissor:x:" + user + ":" + user + "::/:/sbin/nologin\n")},
		{name: "licences.txt", mode: 0o644, content: []byte(licences)},
		{name: "tmp/", mode: 0o1777},
		{name: "usr/", mode: 0o755},
		{name: "usr/local/", mode: 0o755},
		{name: "usr/local/bin/", mode: 0o755},
		{name: "usr/local/bin/emissor", mode: 0o755, content: binary},
	})
	if err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(files)), nil
	}, tarball.WithMediaType(types.OCILayer), tarball.WithCompressionLevel(gzip.BestCompression))
	if err != nil {
		return nil, err
	}
	base := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	filled, err := mutate.Append(base, mutate.Addendum{Layer: layer, History: v1.History{
		Created: v1.Time{Time: s.committed}, CreatedBy: "make release", Comment: "the static binary; there is no base",
	}})
	if err != nil {
		return nil, err
	}
	config, err := filled.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, _ = strings.Cut(platform, "/")
	config.Created = v1.Time{Time: s.committed}
	// As in the Dockerfile, which says why.
	config.Config = v1.Config{
		User:         user,
		Env:          []string{"PATH=/usr/local/bin", "EMISSOR_LISTEN=0.0.0.0:8080"},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}, "8090/tcp": {}},
		Entrypoint:   []string{"emissor"},
		Cmd:          []string{"serve"},
		Healthcheck: &v1.HealthConfig{
			Test:     []string{"CMD", "emissor", "healthcheck"},
			Interval: 10 * time.Second, Timeout: 3 * time.Second, StartPeriod: 20 * time.Second, Retries: 3,
		},
		Labels: map[string]string{
			"org.opencontainers.image.title":    "emissor",
			"org.opencontainers.image.version":  s.version,
			"org.opencontainers.image.revision": s.commit,
			"org.opencontainers.image.created":  s.committed.Format(time.RFC3339),
		},
	}
	return mutate.ConfigFile(filled, config)
}

// writeDockerList writes the list by which Docker before 25 finds what is in the layout.
func writeDockerList(file string, image v1.Image, reference string) error {
	config, err := image.ConfigName()
	if err != nil {
		return err
	}
	layers, err := image.Layers()
	if err != nil {
		return err
	}
	blob := func(hash v1.Hash) string { return "blobs/" + hash.Algorithm + "/" + hash.Hex }
	list := tarball.Manifest{{Config: blob(config), RepoTags: []string{reference}}}
	for _, layer := range layers {
		digest, err := layer.Digest()
		if err != nil {
			return err
		}
		list[0].Layers = append(list[0].Layers, blob(digest))
	}
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

// pack makes a TAR file of a folder.
func (s source) pack(folder fs.FS) ([]byte, error) {
	var entries []entry
	err := fs.WalkDir(folder, ".", func(path string, at fs.DirEntry, err error) error {
		switch {
		case err != nil || path == ".":
			return err
		case at.IsDir():
			entries = append(entries, entry{name: path + "/", mode: 0o755})
			return nil
		}
		content, err := fs.ReadFile(folder, path)
		entries = append(entries, entry{name: path, mode: 0o644, content: content})
		return err
	})
	if err != nil {
		return nil, err
	}
	return tarOf(s.committed, entries)
}

// entry is a file of a TAR file, or a folder, whose name ends in a slash.
type entry struct {
	name    string
	mode    int64
	content []byte
}

// tarOf makes a TAR file that follows from its entries alone.
func tarOf(at time.Time, entries []entry) ([]byte, error) {
	var out bytes.Buffer
	writer := tar.NewWriter(&out)
	for _, e := range entries {
		header := &tar.Header{
			Typeflag: tar.TypeReg, Name: e.name, Mode: e.mode, Size: int64(len(e.content)), ModTime: at, Format: tar.FormatUSTAR,
		}
		if strings.HasSuffix(e.name, "/") {
			header.Typeflag = tar.TypeDir
		}
		if err := writer.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := writer.Write(e.content); err != nil {
			return nil, err
		}
	}
	err := writer.Close()
	return out.Bytes(), err
}
