#!/usr/bin/env bash
# Makes the file given an engine for make run, by the first of these that is to be had:
#
#	1. Temporal's own server: the program that TEMPORAL_SERVER names, or temporal-server in PATH, with temporal-sql-tool
#	   beside it, of the minor version that dev/go.mod has
#	2. the engine compiled here before, which the second argument names
#	3. the release of Temporal whose checksum is in dev/engine.sha256 (tests: ENGINE_PINS), from TEMPORAL_MIRROR (GitHub
#	   without it)
#	4. the engine, compiled: the rest of the arguments is the command
set -euo pipefail
target=$1 compiled=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
wanted=$(awk '$1 == "go.temporal.io/server" { sub("^v", "", $2); print $2 }' "$here/go.mod")

# stock DIRECTORY: the engine is Temporal's own programs there.
stock() {
	printf '#!/usr/bin/env bash\nexec %q %q "$@"\n' "$here/stock-engine.sh" "$(cd "$1" && pwd)" >"$target.new"
	chmod +x "$target.new"
	mv "$target.new" "$target"
}

# installed PROGRAM: whether it fits; if not, it says why.
installed() {
	local version
	version=$("$1" --version 2>/dev/null | awk '{ print $NF }') || version=
	if [ "${version%.*}" != "${wanted%.*}" ]; then
		echo "engine: $1 is not taken: its version is ${version:-unknown}, ${wanted%.*} is needed"
	elif [ ! -x "$(dirname "$1")/temporal-sql-tool" ]; then
		echo "engine: $1 is not taken: temporal-sql-tool is not beside it"
	else
		stock "$(dirname "$1")"
		echo "engine: $1, version $version"
	fi
	[ -e "$target" ]
}

# released: whether the release could be had, which is unpacked beside the target.
released() {
	local machine archive pin directory mirror
	case "$(uname -s) $(uname -m)" in
	'Linux x86_64') machine=linux_amd64 ;;
	'Linux aarch64') machine=linux_arm64 ;;
	*) return 1 ;;
	esac
	archive=temporal_${wanted}_$machine.tar.gz
	pin=$(grep -E "^[0-9a-f]{64}  $archive\$" "${ENGINE_PINS:-$here/engine.sha256}") || return 1
	directory=$(realpath -m "$target.release/$wanted")
	if [ ! -d "$directory" ]; then
		mirror=${TEMPORAL_MIRROR:-https://github.com/temporalio/temporal/releases/download}
		rm -rf "$target.release"
		mkdir -p "$directory.new"
		if ! curl --fail --silent --location --connect-timeout 5 --speed-limit 10000 --speed-time 15 \
			-o "$directory.new/$archive" "$mirror/v$wanted/$archive"; then
			echo "engine: $archive cannot be had from $mirror"
			return 1
		fi
		if ! (cd "$directory.new" && echo "$pin" | sha256sum --status --check); then
			echo "engine: $archive from $mirror is refused: its checksum is not the one in dev/engine.sha256"
			return 1
		fi
		tar -xzf "$directory.new/$archive" -C "$directory.new" temporal-server temporal-sql-tool || return 1
		rm "$directory.new/$archive"
		mv "$directory.new" "$directory"
		echo "engine: Temporal's release $wanted, from $mirror"
	fi
	stock "$directory"
}

mkdir -p "$(dirname "$target")"
rm -f "$target"
for program in "${TEMPORAL_SERVER:-}" "$(command -v temporal-server || true)"; do
	if [ -n "$program" ] && installed "$program"; then exit; fi
done
if [ ! -e "$compiled" ] && released; then exit; fi
"$@"
ln -sfn "$(realpath "$compiled")" "$target"
