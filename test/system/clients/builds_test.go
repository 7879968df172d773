package clients

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// buildGo builds a program in a module as the page makes it, but that this repository is elsewhere.
func buildGo(t *testing.T, folder, file string) []string {
	t.Helper()
	repository, err := filepath.Abs("../../..")
	must(t, err)
	for _, beginning := range []string{"go mod init ", "go mod edit "} {
		line := strings.Fields(strings.Replace(lineOf(t, "go", beginning), "=../emissor", "="+repository, 1))
		runIn(t, folder, nil, line[0], line[1:]...)
	}
	built := filepath.Join(folder, strings.TrimSuffix(file, ".go"))
	runIn(t, folder, []string{"CGO_ENABLED=0"}, "go", "build", "-o", built, file)
	return []string{built}
}

// buildTypeScript makes JavaScript of the folder's TypeScript as the page says: with the packages that it installs, by
// its call of the compiler. Types are checked strictly here.
func buildTypeScript(t *testing.T, folder, file string) []string {
	t.Helper()
	const install = "npm install --save-dev "
	runIn(t, folder, nil, "sh", "-c", lineOf(t, "typescript", "npm init "))
	linked(t, folder, strings.Fields(strings.TrimPrefix(lineOf(t, "typescript", install), install))...)
	must(t, os.Mkdir(filepath.Join(folder, "node_modules/.bin"), 0o700))
	must(t, os.Symlink("../typescript/bin/tsc", filepath.Join(folder, "node_modules/.bin/tsc")))
	runIn(t, folder, nil, "sh", "-c", lineOf(t, "typescript", "npx tsc ")+
		" --strict --noUncheckedIndexedAccess --erasableSyntaxOnly")
	if made, isSource := strings.CutSuffix(file, ".ts"); isSource {
		file = made + ".js"
	}
	return []string{"node", filepath.Join(folder, file)}
}

// linked puts packages where npm install would, which takes them from the network.
func linked(t *testing.T, folder string, names ...string) {
	t.Helper()
	modules := npm(t, names...)
	for _, name := range names {
		must(t, os.MkdirAll(filepath.Dir(filepath.Join(folder, "node_modules", name)), 0o700))
		must(t, os.Symlink(filepath.Join(modules, name), filepath.Join(folder, "node_modules", name)))
	}
}

// jackson is where Debian's package libjackson2-databind-java puts the library that the page uses.
const jackson = "/usr/share/java/jackson-databind.jar:/usr/share/java/jackson-core.jar:" +
	"/usr/share/java/jackson-annotations.jar"

func buildJava(t *testing.T, folder, file string) []string {
	t.Helper()
	if _, err := os.Stat(strings.Split(jackson, ":")[0]); err != nil {
		t.Skip("Jackson is not installed: dev/setup.sh clients installs it on Debian")
	}
	runIn(t, folder, nil, "sh", "-c", "javac -cp "+jackson+" *.java")
	return []string{"java", "-cp", jackson + ":" + folder, strings.TrimSuffix(file, ".java")}
}

func buildCSharp(t *testing.T, folder, file string) []string {
	t.Helper()
	if _, err := os.Stat("/usr/lib/mono/4.5/System.Runtime.Serialization.dll"); err != nil {
		t.Skip("Mono's libraries are not installed: dev/setup.sh clients installs them on Debian")
	}
	built := filepath.Join(folder, strings.TrimSuffix(file, ".cs")+".exe")
	runIn(t, folder, nil, "mcs", "-langversion:latest", "-nowarn:649", "-out:"+built, "-r:System.Net.Http",
		"-r:System.Runtime.Serialization", "*.cs")
	return []string{"mono", built}
}
