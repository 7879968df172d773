#!/usr/bin/env bash
# Is to devstack what the program engine is, with Temporal's own programs, which are in the directory given:
#
#	stock-engine.sh DIRECTORY server [flags of engine server]
set -euo pipefail
directory=$1
shift 2
while [ $# -gt 0 ]; do
	case $1 in
	-postgres-port) export POSTGRES_PORT=$2 ;;
	-frontend-port) export FRONTEND_PORT=$2 ;;
	-history-port) export HISTORY_PORT=$2 ;;
	-matching-port) export MATCHING_PORT=$2 ;;
	-worker-port) export WORKER_PORT=$2 ;;
	-user) export SQL_USER=$2 ;;
	-database) export DATABASE=$2 ;;
	-visibility) export VISIBILITY=$2 ;;
	*) echo "stock-engine: unknown flag $1" >&2 && exit 2 ;;
	esac
	shift 2
done
export SQL_PASSWORD=$DEVSTACK_POSTGRES_PASSWORD
here=$(cd "$(dirname "$0")" && pwd)
export DYNAMIC_CONFIG=$here/../deploy/temporal/dynamicconfig.yaml

schema() {
	"$directory/temporal-sql-tool" --plugin postgres12_pgx --endpoint 127.0.0.1 --port "$POSTGRES_PORT" \
		--database "$1" "${@:2}"
}
for kind in temporal:"$DATABASE" visibility:"$VISIBILITY"; do
	schema "${kind#*:}" setup-schema --version 0.0
	schema "${kind#*:}" update-schema --schema-name "postgresql/v12/${kind%%:*}"
done
exec "$directory/temporal-server" --config-file "$here/stock-engine.yaml" --allow-no-auth start
