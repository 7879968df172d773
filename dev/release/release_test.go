package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"debug/elf"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/CycloneDX/cyclonedx-go"
	"github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
)

// The machines of the platforms.
var machines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}

// A release is made for both platforms, and what is for this machine runs. Made again in another folder, with nothing
// compiled before, it is the same to the byte.
func TestRelease(t *testing.T) {
	o := options{repository: "../..", commit: "HEAD", out: t.TempDir(), platforms: []string{"linux/amd64", "linux/arm64"}}
	commit, err := git(t.Context(), o.repository, "rev-parse", "--verify", "HEAD")
	if err != nil {
		t.Skip("the commit is not known: these are sources without their repository")
	}
	made := o.make(t)
	version := strings.TrimPrefix(filepath.Base(made), "emissor-")
	checkChecksums(t, made)
	for architecture := range machines {
		t.Run(architecture, func(t *testing.T) {
			binary := filepath.Join(made, "emissor-"+version+"-linux-"+architecture)
			checkBinary(t, binary, architecture)
			checkBill(t, binary, version)
			root := checkImage(t, binary+".image.tar", architecture, version, commit)
			if inside, err := os.ReadFile(filepath.Join(root, "usr/local/bin/emissor")); err != nil ||
				!bytes.Equal(inside, read(t, binary)) {
				t.Errorf("the program of the image is another one: %v", err)
			}
			if architecture == "amd64" {
				runImage(t, root, version, commit)
			}
		})
	}

	again := o
	again.out = t.TempDir()
	again.platforms = again.platforms[:1]
	t.Setenv("GOCACHE", t.TempDir())
	second := again.make(t)
	for _, entry := range files(t, second) {
		if entry != checksumFile && !bytes.Equal(read(t, filepath.Join(made, entry)), read(t, filepath.Join(second, entry))) {
			t.Errorf("%s is not the same when it is made again", entry)
		}
	}
}

func (o options) make(t *testing.T) (folder string) {
	t.Helper()
	folder, err := makeRelease(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

func checkChecksums(t *testing.T, folder string) {
	t.Helper()
	var expected string
	for _, name := range files(t, folder) {
		if name != checksumFile {
			expected += fmt.Sprintf("%x  %s\n", sha256.Sum256(read(t, filepath.Join(folder, name))), name)
		}
	}
	if sums := string(read(t, filepath.Join(folder, checksumFile))); sums != expected ||
		strings.Count(sums, "\n") != 4*len(machines) {
		t.Errorf("the checksums are\n%sexpected\n%s", sums, expected)
	}
}

func checkBinary(t *testing.T, binary, architecture string) {
	t.Helper()
	file, err := elf.Open(binary)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if file.Machine != machines[architecture] || file.Section(".interp") != nil {
		t.Errorf("it is for %s, or asks for a dynamic linker", file.Machine)
	}
}

// What a binary is made of is said with a version and a licence each, and tests' modules are not in it.
func checkBill(t *testing.T, binary, version string) {
	t.Helper()
	var bill cyclonedx.BOM
	decoder := cyclonedx.NewBOMDecoder(bytes.NewReader(read(t, binary+".cdx.json")), cyclonedx.BOMFileFormatJSON)
	if err := decoder.Decode(&bill); err != nil {
		t.Fatal(err)
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(read(t, binary)))
	if of := bill.Metadata.Component; of.Version != version || (*of.Hashes)[0].Value != sum {
		t.Errorf("it is of %+v", of)
	}
	found := map[string]bool{}
	texts := string(read(t, binary+".licences.txt"))
	for _, one := range *bill.Components {
		found[one.Name] = true
		if one.Version == "" || one.Licenses == nil || (*one.Licenses)[0].License.Name == "" {
			t.Errorf("%+v lacks a version or a licence", one)
		}
		if one.Name != "std" && !strings.Contains(texts, "\n"+one.Name+" "+one.Version+" (") {
			t.Errorf("the text of the licence of %s is missing", one.Name)
		}
	}
	if !found["std"] || !found["github.com/lib/pq"] || found["github.com/Shopify/toxiproxy/v2"] {
		t.Errorf("it is made of %v", found)
	}
}

// checkImage checks what an image says of itself, and returns a folder with its files.
func checkImage(t *testing.T, file, architecture, version, commit string) (root string) {
	t.Helper()
	folder := unpack(t, bytes.NewReader(read(t, file)))
	index, err := layout.ImageIndexFromPath(folder)
	if err != nil {
		t.Fatal(err)
	}
	list, err := index.IndexManifest()
	if err != nil || len(list.Manifests) != 1 {
		t.Fatalf("it has the images %+v: %v", list, err)
	}
	image, err := index.Image(list.Manifests[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	labels := config.Config.Labels
	if config.OS != "linux" || config.Architecture != architecture || config.Config.User != user ||
		!slices.Equal(config.Config.Entrypoint, []string{"emissor"}) ||
		labels["org.opencontainers.image.version"] != version || labels["org.opencontainers.image.revision"] != commit {
		t.Errorf("the image says %+v", config)
	}
	checkDockerList(t, folder, image, version)
	layers, err := image.Layers()
	if err != nil || len(layers) != 1 {
		t.Fatalf("it has %d layers: %v", len(layers), err)
	}
	compressed, err := layers[0].Compressed()
	if err != nil {
		t.Fatal(err)
	}
	defer compressed.Close()
	files, err := gzip.NewReader(compressed)
	if err != nil {
		t.Fatal(err)
	}
	return unpack(t, files)
}

// What older Docker reads names files that are there.
func checkDockerList(t *testing.T, folder string, image v1.Image, version string) {
	t.Helper()
	var list []struct {
		Config           string
		RepoTags, Layers []string
	}
	if err := json.Unmarshal(read(t, filepath.Join(folder, "manifest.json")), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 || !slices.Equal(list[0].RepoTags, []string{"emissor:" + version}) || len(list[0].Layers) != 1 {
		t.Fatalf("the list is %+v", list)
	}
	config, err := image.RawConfigFile()
	if err != nil || !bytes.Equal(read(t, filepath.Join(folder, list[0].Config)), config) {
		t.Errorf("the list names another configuration: %v", err)
	}
	read(t, filepath.Join(folder, list[0].Layers[0]))
}

// runImage runs the program as a container would, with nothing but the files of the image.
func runImage(t *testing.T, root, version, commit string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Log("only root can make the files of the image all that a program sees: it is not run there")
		return
	}
	for folder := root; folder != os.TempDir() && folder != "/"; folder = filepath.Dir(folder) {
		must(t, os.Chmod(folder, 0o755)) // the test's own are for root alone
	}
	run := func(arguments ...string) (string, error) {
		command := exec.Command("/usr/local/bin/emissor", arguments...)
		command.Env, command.Dir = []string{"PATH=/usr/local/bin"}, "/"
		command.SysProcAttr = &syscall.SysProcAttr{
			Chroot: root, Credential: &syscall.Credential{Uid: 10001, Gid: 10001}, Pdeathsig: syscall.SIGKILL,
		}
		output, err := command.CombinedOutput()
		return string(output), err
	}
	said, err := run("version", "--json")
	var v struct{ Version, Commit string }
	if err != nil || json.Unmarshal([]byte(said), &v) != nil || v.Version != version || v.Commit != commit {
		t.Errorf("it is %s: %v", said, err)
	}
	if said, err := run("healthcheck"); err == nil || !strings.Contains(said, "connection refused") {
		t.Errorf("where nothing runs the check says %s: %v", said, err)
	}
}

// Only the commit that changes the version may be released by it.
func TestRelease_VersionOnce(t *testing.T) {
	repository := t.TempDir()
	commit := func(message string) (id string) {
		t.Helper()
		_, err := git(t.Context(), repository, "add", "-A")
		must(t, err)
		_, err = git(t.Context(), repository, "-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-qm", message)
		must(t, err)
		id, err = git(t.Context(), repository, "rev-parse", "HEAD")
		must(t, err)
		return id
	}
	_, err := git(t.Context(), repository, "init", "-q")
	must(t, err)
	must(t, os.MkdirAll(filepath.Join(repository, filepath.Dir(versionFile)), 0o755))
	must(t, os.WriteFile(filepath.Join(repository, "go.mod"),
		[]byte("module x\n\ngo 1.26.8\n\ntoolchain go1.26.8\n"), 0o644))
	set := func(version string) {
		must(t, os.WriteFile(filepath.Join(repository, versionFile), []byte(version+"\n"), 0o644))
	}
	set("1.0.0")
	released := commit("Version 1.0.0")
	must(t, os.WriteFile(filepath.Join(repository, "more"), nil, 0o644))
	later := commit("more")
	set("1.1.0-dev")
	next := commit("next")
	for id, refused := range map[string]bool{released: false, later: true, next: false} {
		s, err := checkOut(t.Context(), repository, id, t.TempDir())
		if (err != nil) != refused {
			t.Errorf("%s of %s: %v", s.version, id, err)
		}
		if refused && !strings.Contains(err.Error(), released) {
			t.Errorf("it does not say which commit is released: %v", err)
		}
	}
}

func unpack(t *testing.T, packed io.Reader) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for files := tar.NewReader(packed); ; {
		header, err := files.Next()
		if err == io.EOF {
			return folder
		}
		must(t, err)
		target := filepath.Join(folder, header.Name)
		if header.Typeflag == tar.TypeDir {
			must(t, os.MkdirAll(target, 0o755))
			must(t, os.Chmod(target, header.FileInfo().Mode()))
			continue
		}
		content, err := io.ReadAll(files)
		must(t, err)
		must(t, os.WriteFile(target, content, header.FileInfo().Mode()))
	}
}

func files(t *testing.T, folder string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	must(t, err)
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	content, err := os.ReadFile(file)
	must(t, err)
	return content
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
