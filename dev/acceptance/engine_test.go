package acceptance

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// The engine of make run is one that is there, else a release that has the checksum pinned, else it is compiled. The
// servers here are stand-ins, as is the command that compiles.
func TestFindEngine(t *testing.T) {
	goMod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`go\.temporal\.io/server v(\S+)`).FindStringSubmatch(string(goMod))[1]
	name := fmt.Sprintf("temporal_%s_linux_%s.tar.gz", version, runtime.GOARCH)
	archive := releaseOf(t, version)
	mirror := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v"+version+"/"+name {
			http.NotFound(w, r)
			return
		}
		_, _ = w.Write(archive)
	}))
	t.Cleanup(mirror.Close)
	const gone = "http://127.0.0.1:1" // where nobody listens
	pin := fmt.Sprintf("%x  %s\n", sha256.Sum256(archive), name)
	another := fmt.Sprintf("%x  %s\n", sha256.Sum256(nil), name)

	const compiled, stock = "compiled", "stock-engine.sh"
	for what, test := range map[string]struct {
		pins, mirror string
		installed    string // the version of the server that TEMPORAL_SERVER names
		alone        bool   // without temporal-sql-tool
		there        bool   // compiled before
		says, is     string
	}{
		"a release": {pins: pin, mirror: mirror.URL, is: stock,
			says: "engine: Temporal's release " + version + ", from " + mirror.URL},
		"a wrong checksum": {pins: another, mirror: mirror.URL, is: compiled,
			says: name + " from " + mirror.URL + " is refused: its checksum is not the one in dev/engine.sha256"},
		"no network":      {pins: pin, mirror: gone, is: compiled, says: name + " cannot be had from " + gone},
		"no such release": {pins: pin, mirror: mirror.URL + "/x", is: compiled, says: "cannot be had from"},
		"no pin":          {mirror: mirror.URL, is: compiled, says: "compiling"},
		"compiled before": {pins: pin, mirror: mirror.URL, there: true, is: compiled, says: "compiling"},
		"a server": {pins: pin, mirror: mirror.URL, installed: version, is: stock,
			says: "temporal-server, version " + version},
		"an old server": {mirror: mirror.URL, installed: "1.2.3", is: compiled,
			says: "is not taken: its version is 1.2.3"},
		"a broken server": {mirror: mirror.URL, installed: "x; exit 1", is: compiled,
			says: "is not taken: its version is"},
		"without its tool": {mirror: mirror.URL, installed: version, alone: true, is: compiled,
			says: "temporal-sql-tool is not beside it"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			pins, target, engine := filepath.Join(dir, "pins"), filepath.Join(dir, "run-engine"), filepath.Join(dir, compiled)
			write(t, pins, test.pins)
			if test.there {
				write(t, engine, "")
			}
			cmd := exec.Command("../find-engine.sh", target, engine, "sh", "-c", "echo compiling; touch "+engine)
			cmd.Env = append(os.Environ(), "ENGINE_PINS="+pins, "TEMPORAL_MIRROR="+test.mirror, "TEMPORAL_SERVER=")
			if test.installed != "" {
				server := filepath.Join(dir, "temporal-server")
				write(t, server, serverOf(test.installed))
				if !test.alone {
					write(t, filepath.Join(dir, "temporal-sql-tool"), "#!/bin/sh\n")
				}
				cmd.Env = append(cmd.Env, "TEMPORAL_SERVER="+server)
			}
			out, err := cmd.CombinedOutput()
			if err != nil || !strings.Contains(string(out), test.says) ||
				strings.Contains(string(out), "compiling") != (test.is == compiled) {
				t.Errorf("%v; it says %q, want %q", err, out, test.says)
			}
			if links, _ := os.Readlink(target); (links == engine) != (test.is == compiled) {
				t.Errorf("the engine is a link to %q", links)
			}
			if text, _ := os.ReadFile(target); test.is == stock && !strings.Contains(string(text), stock) {
				t.Errorf("the engine is %q", text)
			}
		})
	}
}

// serverOf is a stand-in for a server that says its version.
func serverOf(version string) string { return "#!/bin/sh\necho temporal version " + version + "\n" }

// releaseOf is an archive as Temporal releases it, of stand-ins.
func releaseOf(t *testing.T, version string) []byte {
	t.Helper()
	var archive bytes.Buffer
	packed := gzip.NewWriter(&archive)
	files := tar.NewWriter(packed)
	for name, text := range map[string]string{"temporal-server": serverOf(version), "temporal-sql-tool": "#!/bin/sh\n",
		"LICENSE": "MIT"} {
		if err := files.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := files.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := files.Close(); err != nil {
		t.Fatal(err)
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	return archive.Bytes()
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}
