#!/usr/bin/env bash
# Makes in FOLDER what the machine and the stand-ins for base images are made of, where it is not there already:
# Debian by mmdebstrap, and programs of the versions that docker-compose.yml names, from their Go modules.
set -euo pipefail
repository=$(cd "$(dirname "$0")/../.." && pwd)
folder=$1
suite=trixie
mkdir -p "$folder/parts/programs"

# debian TARGET PACKAGE...: a small Debian with these packages, as a folder or a tar file.
debian() {
	local target=$1 packages
	shift
	packages=$(IFS=,; echo "$*")
	[ "$(cat "$target.packages" 2>/dev/null)" != "$suite $packages" ] || return 0
	echo "containers: a Debian with $packages"
	rm -rf "$target"
	mmdebstrap --quiet --variant=minbase --include="$packages" \
		--aptopt='Acquire::Check-Valid-Until "false"' "$suite" "$target"
	echo "$suite $packages" >"$target.packages"
}

# version IMAGE: the tag by which docker-compose.yml names it.
version() { sed -n "s|^ *image: $1:||p" "$repository/docker-compose.yml" | head -1; }

# program NAME MODULE VERSION PACKAGE: builds a program of a module.
program() {
	local name=$1 version=$3
	[ "$(cat "$folder/parts/programs/$name.version" 2>/dev/null)" != "$version" ] || return 0
	echo "containers: $name $version from its Go module"
	if ! build "$@" >"$folder/build.log" 2>&1; then
		tail "$folder/build.log" >&2
		exit 1
	fi
	echo "$version" >"$folder/parts/programs/$name.version"
}

# build NAME MODULE VERSION PACKAGE, with what the development stack is built of, so that what is the same is compiled
# once.
build() {
	local scratch
	scratch=$(mktemp -d) &&
		cp "$repository/dev/go.mod" "$repository/dev/go.sum" "$scratch" &&
		cd "$scratch" &&
		go get "$2/$4@$3" &&
		CGO_ENABLED=0 go build -buildvcs=false -ldflags='-s -w' -o "$folder/parts/programs/$1" "$2/$4" &&
		go list -m -f '{{.Dir}}' "$2" >"$folder/parts/programs/$1.source" &&
		rm -rf "$scratch"
}

debian "$folder/root" ca-certificates curl docker-buildx docker-cli docker-compose docker.io iproute2 iptables \
	openssl procps sudo
debian "$folder/parts/debian.tar" busybox-static ca-certificates libcap2-bin postgresql tzdata

program caddy github.com/caddyserver/caddy/v2 "v$(version caddy)" cmd/caddy
program temporal-server go.temporal.io/server "v$(version temporalio/server)" cmd/server
program temporal-sql-tool go.temporal.io/server "v$(version temporalio/admin-tools)" cmd/tools/sql
program temporal-ui github.com/temporalio/ui-server/v2 "v$(version temporalio/ui)" cmd/server
(cd "$repository/dev" && CGO_ENABLED=0 go build -buildvcs=false -ldflags='-s -w' -o "$folder/parts/programs/" ./containers/temporal)
cp "$(cat "$folder/parts/programs/temporal-ui.source")/config/docker.yaml" "$folder/parts/programs/temporal-ui.yaml"
cp /etc/ssl/certs/ca-certificates.crt "$folder/parts/ca-certificates.crt" # the builder trusts whom this machine trusts
rm -rf "$folder/parts/stand-ins"
cp -r "$repository/dev/containers/stand-ins" "$folder/parts/"
