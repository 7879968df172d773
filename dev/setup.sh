#!/usr/bin/env bash
# Makes sure that what Emissor's make targets need is on this machine. With the argument "tests" that includes what
# only the tests need, with "containers" what their machine needs, with "drill" what the drill of backup and restore
# needs, and with "clients" what runs the guides and generates clients. On Debian and its relatives missing packages
# are installed; elsewhere, or without the right to install, it says what is missing. It does nothing when nothing is
# missing.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
	echo "setup: $*" >&2
	exit 1
}

have() { command -v "$1" >/dev/null; }

have_postgres() { have postgres || compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null; }

# want WHAT PACKAGE...: records something missing and the Debian packages that have it.
missing=()
packages=()
want() {
	missing+=("$1")
	packages+=("${@:2}")
}

have_postgres || want 'PostgreSQL 14 or newer' postgresql
if [ "${1:-}" = tests ]; then
	have python3 || want 'Python 3, to read an archive by the program of its page' python3
	have gcc || want 'a C compiler, for the race detector' gcc libc6-dev
	have xmllint || want "xmllint, to validate documents against the authority's schemas" libxml2-utils
	have chromium || want 'Chromium, to look at the dashboard' chromium
	have pdftotext || want 'pdftotext, to read the printed form of notes' poppler-utils
	have zbarimg || want 'zbarimg, to read the QR code on it' zbar-tools
	have promtool || want "Prometheus and promtool, to run the alarms' rules" prometheus
	have softhsm2-util && have pkcs11-tool || want 'SoftHSM and OpenSC, to sign by a token' softhsm2 opensc
	have xmlsec1 || want 'xmlsec1, to verify signatures with other code than ours' xmlsec1
fi
if [ "${1:-}" = clients ]; then
	have node && have npm || want 'Node.js and npm, to run the guide for TypeScript' nodejs npm
	have php || want 'PHP, to run the guide for it' php-cli
	have ruby || want 'Ruby, to run the guide for it' ruby
	have javac || want 'a JDK, to run the guide for Java' default-jdk-headless
	[ -e /usr/share/java/jackson-databind.jar ] || want 'Jackson, which that guide uses' libjackson2-databind-java
	have mcs && have mono || want 'Mono, to run the guide for C#' mono-mcs mono-runtime
	[ -e /usr/lib/mono/4.5/System.Net.Http.dll ] && [ -e /usr/lib/mono/4.5/System.Runtime.Serialization.dll ] ||
		want 'libraries of Mono, which that guide uses' \
			libmono-system-net-http4.0-cil libmono-system-runtime-serialization4.0-cil
	/usr/bin/python3 -c 'import urllib3, dateutil, six, certifi' 2>/dev/null ||
		want 'what generated clients for Python use' python3-urllib3 python3-dateutil python3-six python3-certifi
	/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || want 'a validator of schemas for Python' python3-jsonschema
fi
if [ "${1:-}" = drill ]; then
	have pgbackrest || want 'pgBackRest, to archive and restore PostgreSQL' pgbackrest
fi

# as_root COMMAND...: runs it as root, without ever asking for a password.
as_root() {
	if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

install_packages() {
	echo "setup: installing ${packages[*]}"
	# Debian's package would make a cluster of its own and start it; ours needs only the programs.
	if [[ " ${packages[*]} " == *' postgresql '* && ! -e /etc/postgresql-common/createcluster.conf ]]; then
		as_root mkdir -p /etc/postgresql-common
		echo 'create_main_cluster = false' | as_root tee /etc/postgresql-common/createcluster.conf >/dev/null
	fi
	# Nor is its Prometheus to run: tests start their own.
	if [[ " ${packages[*]} " == *' prometheus '* && -d /run/systemd/system ]]; then
		as_root systemctl mask --quiet prometheus.service
	fi
	as_root apt-get update -q
	as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
		-o Dpkg::Options::=--force-confold "${packages[@]}"
}

if [ "${1:-}" = containers ]; then
	[ "$(uname -s)" = Linux ] && [ "$(id -u)" = 0 ] || fail 'a machine of its own for containers needs root on Linux'
	have mmdebstrap || want 'mmdebstrap, which makes a Debian' mmdebstrap
	have nft || want 'nftables, for the network of the machine' nftables
	have ip || want 'iproute2, likewise' iproute2
	have nsenter || want 'util-linux, for its namespaces' util-linux
	have pgrep || want 'procps, to find its processes' procps
	unshare --mount --pid --net --fork true 2>/dev/null || fail 'no namespaces can be made here'
fi

required=$(awk '$1 == "go" { print $2 }' go.mod)
have go || fail "Go is missing: install Go $required or newer and put it in PATH"
go env GOVERSION >/dev/null || fail "this Go is too old: install Go $required or newer"

if [ ${#packages[@]} -gt 0 ]; then
	list=$(printf '%s; ' "${missing[@]}")
	have apt-get && as_root true 2>/dev/null ||
		fail "missing: ${list%; }. Install it (on Debian: apt-get install ${packages[*]}), then try again"
	install_packages </dev/null
fi
mkdir -p .dev/bin

# axe-core checks the accessibility of the dashboard's pages. Where npm or its registry cannot be reached, the tests
# say that nothing was checked.
axe=axe-core-4.14.1
if [ "${1:-}" = tests ] && [ ! -e ".dev/axe-core/package/axe.min.js" ] && have npm; then
	mkdir -p .dev/axe-core
	(cd .dev/axe-core && npm pack --silent "${axe/core-/core@}" >/dev/null && tar -xzf "$axe.tgz" && rm "$axe.tgz") ||
		echo "setup: $axe cannot be had from npm: nobody looks for barriers in the dashboard's pages"
fi

# Generators of clients, what their clients need, a validator of schemas, and Bruno's command. Where npm or its
# registry cannot be reached, the tests say what was not tried.
clients='openapi-typescript@7.13.0 openapi-fetch@0.17.0 typescript@5.9.3 @types/node@20.19.43
	@openapitools/openapi-generator-cli@1.0.18-4.3.1 @usebruno/cli@4.1.0 newman@6.2.2 ajv@8.20.0 ajv-formats@3.0.1'
if [ "${1:-}" = clients ] && [ "$(cat .dev/clients/installed 2>/dev/null)" != "$clients" ] && have npm; then
	mkdir -p .dev/clients
	# shellcheck disable=SC2086
	if (cd .dev/clients && echo '{"private": true}' >package.json &&
		npm install --silent --no-audit --no-fund --ignore-scripts --save-exact $clients); then
		echo "$clients" >.dev/clients/installed
	else
		echo 'setup: packages cannot be had from npm: clients for TypeScript and Python, and Bruno, are not tried'
	fi
fi
