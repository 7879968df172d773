package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// A registry gives every platform its image by one name, and a chart whose values name that image: by one line, so that
// who has another image changes one.
func TestPublish(t *testing.T) {
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	host := strings.TrimPrefix(server.URL, "http://") + "/owner"
	version, err := os.ReadFile("../../" + versionFile)
	must(t, err)
	s := source{folder: "../..", version: strings.TrimSpace(string(version)), committed: time.Unix(1_790_000_000, 0)}
	folder, platforms := t.TempDir(), []string{"linux/amd64", "linux/arm64"}
	for _, platform := range platforms {
		binary := s.fileOf(folder, platform)
		must(t, os.WriteFile(binary, []byte("the program for "+platform), 0o755))
		must(t, s.writeImage(binary+".image.tar", platform, binary, "licences"))
	}
	published, err := s.publish(host, folder, platforms)
	must(t, err)
	again, err := s.publish(host, folder, platforms)
	must(t, err)
	if len(published) != 2 || strings.Join(published, " ") != strings.Join(again, " ") {
		t.Fatalf("published are %q, and then %q", published, again)
	}

	index, err := remote.Index(reference(t, host+"/emissor:"+s.version))
	must(t, err)
	digest, err := index.Digest()
	must(t, err)
	if published[0] != host+"/emissor@"+digest.String() {
		t.Errorf("%s is said to be published, %s is", published[0], digest)
	}
	for _, platform := range platforms {
		wanted, err := v1.ParsePlatform(platform)
		must(t, err)
		image, err := remote.Image(reference(t, published[0]), remote.WithPlatform(*wanted))
		must(t, err)
		config, err := image.ConfigFile()
		must(t, err)
		program := string(layerFiles(t, image)["usr/local/bin/emissor"])
		if config.OS+"/"+config.Architecture != platform || program != "the program for "+platform {
			t.Errorf("for %s there is %s of %s/%s", platform, program, config.OS, config.Architecture)
		}
	}

	packed, err := remote.Image(reference(t, host+"/charts/emissor:"+s.version))
	must(t, err)
	manifest, err := packed.Manifest()
	must(t, err)
	about, err := packed.RawConfigFile()
	must(t, err)
	var chart struct{ Name, Version string }
	must(t, json.Unmarshal(about, &chart))
	if manifest.Config.MediaType != "application/vnd.cncf.helm.config.v1+json" || len(manifest.Layers) != 1 ||
		manifest.Layers[0].MediaType != "application/vnd.cncf.helm.chart.content.v1.tar+gzip" || chart.Name != "emissor" ||
		chart.Version != s.version {
		t.Errorf("the chart is %+v of %s", manifest, about)
	}
	files := layerFiles(t, packed)
	if values := string(files["emissor/values.yaml"]); !strings.Contains(values, "\n  repository: "+host+"/emissor\n") ||
		!strings.Contains(values, "\n  tag: \"\"\n") || !strings.Contains(values, "\n  digest: \"\"\n") {
		t.Errorf("its values begin with\n%.900s", values)
	}
	inTree, err := filepath.Glob("../../deploy/helm/emissor/templates/*")
	must(t, err)
	for _, file := range inTree {
		if files["emissor/templates/"+filepath.Base(file)] == nil {
			t.Errorf("the chart lacks %s", file)
		}
	}
}

// A chart in which an image has no place, or two, is not published.
func TestPublish_NoPlaceForTheImage(t *testing.T) {
	for content, expected := range map[string]string{"image:\n": `"repository" has 0 lines`,
		"  repository: a\n  repository: b\n": `"repository" has 2 lines`} {
		if _, err := withValue([]byte(content), "  repository", "x"); err == nil || err.Error() != expected {
			t.Errorf("of %q it says %v", content, err)
		}
	}
}

func reference(t *testing.T, text string) name.Reference {
	t.Helper()
	parsed, err := name.ParseReference(text)
	must(t, err)
	return parsed
}

// layerFiles are the files of an image's one layer.
func layerFiles(t *testing.T, image v1.Image) map[string][]byte {
	t.Helper()
	layers, err := image.Layers()
	must(t, err)
	content, err := layers[0].Compressed()
	must(t, err)
	unpacked, err := gzip.NewReader(content)
	must(t, err)
	files, reader := map[string][]byte{}, tar.NewReader(unpacked)
	for {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		must(t, err)
		var text bytes.Buffer
		_, err = io.Copy(&text, reader)
		must(t, err)
		files[header.Name] = text.Bytes()
	}
}
