package clients

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func buildGo(t *testing.T, folder, file string) []string {
	t.Helper()
	built := filepath.Join(folder, strings.TrimSuffix(file, ".go"))
	runIn(t, folder, []string{"CGO_ENABLED=0"}, "go", "build", "-o", built, file)
	return []string{built}
}

// buildTypeScript checks types strictly, and makes JavaScript of a page's TypeScript.
func buildTypeScript(t *testing.T, folder, file string) []string {
	t.Helper()
	if !strings.HasSuffix(file, ".ts") {
		return []string{"node", filepath.Join(folder, file)}
	}
	modules := npm(t, "typescript", "@types/node")
	must(t, os.WriteFile(filepath.Join(folder, "package.json"), []byte(`{"type": "module"}`), 0o600))
	runIn(t, folder, nil, "node", filepath.Join(modules, "typescript/bin/tsc"), "--strict", "--noUncheckedIndexedAccess",
		"--erasableSyntaxOnly", "--target", "es2022", "--module", "nodenext", "--types", "node",
		"--typeRoots", filepath.Join(modules, "@types"), file)
	return []string{"node", filepath.Join(folder, strings.TrimSuffix(file, ".ts")+".js")}
}

// jackson is where Debian's package libjackson2-databind-java puts the library that the page uses.
const jackson = "/usr/share/java/jackson-databind.jar:/usr/share/java/jackson-core.jar:" +
	"/usr/share/java/jackson-annotations.jar"

func buildJava(t *testing.T, folder, file string) []string {
	t.Helper()
	if _, err := os.Stat(strings.Split(jackson, ":")[0]); err != nil {
		t.Skip("Jackson is not installed: dev/setup.sh clients installs it on Debian")
	}
	runIn(t, folder, nil, "javac", "-cp", jackson, "-d", folder, file)
	return []string{"java", "-cp", jackson + ":" + folder, strings.TrimSuffix(file, ".java")}
}

func buildCSharp(t *testing.T, folder, file string) []string {
	t.Helper()
	if _, err := os.Stat("/usr/lib/mono/4.5/System.Runtime.Serialization.dll"); err != nil {
		t.Skip("Mono's libraries are not installed: dev/setup.sh clients installs them on Debian")
	}
	built := filepath.Join(folder, strings.TrimSuffix(file, ".cs")+".exe")
	runIn(t, folder, nil, "mcs", "-langversion:latest", "-nowarn:649", "-out:"+built, "-r:System.Net.Http",
		"-r:System.Runtime.Serialization", file)
	return []string{"mono", built}
}
