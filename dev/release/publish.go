package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"gopkg.in/yaml.v3"
)

// chart is the folder of the Helm chart.
const chart = "deploy/helm/emissor"

// publish sends the images of a release that was made, as one of all platforms, and the chart with the name of that
// image to a registry (host and path), by the credentials that Docker has for it. It returns what was published, by
// digest, which is what is signed.
func (s source) publish(registry, folder string, platforms []string) (published []string, err error) {
	credentials := remote.WithAuthFromKeychain(authn.DefaultKeychain)
	index, err := s.imageOfAll(folder, platforms)
	if err != nil {
		return nil, err
	}
	image, err := name.NewTag(registry + "/emissor:" + s.version)
	if err != nil {
		return nil, err
	}
	if err := remote.WriteIndex(image, index, credentials); err != nil {
		return nil, err
	}
	digest, err := index.Digest()
	if err != nil {
		return nil, err
	}
	artifact, err := s.chart(image.Context().Name())
	if err != nil {
		return nil, err
	}
	packed, err := name.NewTag(registry + "/charts/emissor:" + s.version)
	if err != nil {
		return nil, err
	}
	if err := remote.Write(packed, artifact, credentials); err != nil {
		return nil, err
	}
	chartDigest, err := artifact.Digest()
	return []string{image.Context().Digest(digest.String()).String(),
		packed.Context().Digest(chartDigest.String()).String()}, err
}

// imageOfAll is one image of those that were made for the platforms.
func (s source) imageOfAll(folder string, platforms []string) (v1.ImageIndex, error) {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, platform := range platforms {
		image, err := tarball.ImageFromPath(s.fileOf(folder, platform)+".image.tar", nil)
		if err != nil {
			return nil, err
		}
		system, architecture, _ := strings.Cut(platform, "/")
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{
			Platform: &v1.Platform{OS: system, Architecture: architecture},
		}})
	}
	return index, nil
}

// chart is the Helm chart as registries keep one: of the version of the release, and with the published image, which
// has that version as its tag, in its values.
func (s source) chart(image string) (v1.Image, error) {
	changes := map[string]map[string]string{
		"Chart.yaml":  {"version": s.version, "appVersion": strconv.Quote(s.version)},
		"values.yaml": {"  repository": image},
	}
	root := os.DirFS(filepath.Join(s.folder, chart))
	var entries []entry
	err := fs.WalkDir(root, ".", func(path string, at fs.DirEntry, err error) error {
		if err != nil || at.IsDir() {
			return err
		}
		content, err := fs.ReadFile(root, path)
		for key, value := range changes[path] {
			if content, err = withValue(content, key, value); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
		entries = append(entries, entry{name: "emissor/" + path, mode: 0o644, content: content})
		return err
	})
	if err != nil {
		return nil, err
	}
	files, err := tarOf(s.committed, entries)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	if _, err := writer.Write(files); err != nil {
		return nil, err
	}
	if err := writer.Close(); err != nil {
		return nil, err
	}
	config, err := asJSON(entries)
	if err != nil {
		return nil, err
	}
	return newArtifact(config, packed.Bytes())
}

// withValue is a YAML file in which the one line of a key has another value.
func withValue(content []byte, key, value string) ([]byte, error) {
	line := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(key) + `: .*$`)
	if found := len(line.FindAll(content, -1)); found != 1 {
		return nil, fmt.Errorf("%q has %d lines", strings.TrimSpace(key), found)
	}
	return line.ReplaceAllLiteral(content, []byte(key+": "+value)), nil
}

// asJSON is what Chart.yaml among the files says.
func asJSON(files []entry) ([]byte, error) {
	var about map[string]any
	for _, file := range files {
		if file.name == "emissor/Chart.yaml" {
			if err := yaml.Unmarshal(file.content, &about); err != nil {
				return nil, err
			}
		}
	}
	return json.Marshal(about)
}

// artifact is a Helm chart as an image of one layer, whose configuration is what Chart.yaml says.
type artifact struct {
	manifest, config []byte
	layer            v1.Layer
}

func newArtifact(config, packed []byte) (v1.Image, error) {
	layer := static.NewLayer(packed, "application/vnd.cncf.helm.chart.content.v1.tar+gzip")
	described, err := partial.Descriptor(layer)
	if err != nil {
		return nil, err
	}
	digest, size, err := v1.SHA256(bytes.NewReader(config))
	if err != nil {
		return nil, err
	}
	manifest, err := json.Marshal(v1.Manifest{
		SchemaVersion: 2, MediaType: types.OCIManifestSchema1,
		Config: v1.Descriptor{MediaType: "application/vnd.cncf.helm.config.v1+json", Digest: digest, Size: size},
		Layers: []v1.Descriptor{*described},
	})
	if err != nil {
		return nil, err
	}
	return partial.CompressedToImage(artifact{manifest, config, layer})
}

func (a artifact) RawConfigFile() ([]byte, error)                         { return a.config, nil }
func (a artifact) RawManifest() ([]byte, error)                           { return a.manifest, nil }
func (a artifact) MediaType() (types.MediaType, error)                    { return types.OCIManifestSchema1, nil }
func (a artifact) LayerByDigest(v1.Hash) (partial.CompressedLayer, error) { return a.layer, nil }
