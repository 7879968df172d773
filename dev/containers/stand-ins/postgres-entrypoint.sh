#!/bin/bash
# What docker-compose.yml uses of the entrypoint of PostgreSQL's image: it becomes the user postgres; a new volume gets a
# superuser with POSTGRES_PASSWORD, and then what the files in /docker-entrypoint-initdb.d say.
set -euo pipefail

if [ "$(id -u)" = 0 ]; then
	mkdir -p "$PGDATA" /var/run/postgresql
	chown postgres:postgres "$PGDATA" /var/run/postgresql
	exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi

if [ "$1" = postgres ] && [ ! -s "$PGDATA/PG_VERSION" ]; then
	initdb --username=postgres --pwfile=<(echo "${POSTGRES_PASSWORD:?}") \
		--auth-local=trust --auth-host=scram-sha-256
	echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
	echo "listen_addresses = '*'" >>"$PGDATA/postgresql.conf"
	# On its socket only, so that nobody takes it for ready.
	pg_ctl start --wait --options="-c listen_addresses=''"
	for file in /docker-entrypoint-initdb.d/*.sql; do
		psql --username=postgres --no-psqlrc --set=ON_ERROR_STOP=1 --file="$file"
	done
	pg_ctl stop --wait --mode=fast
fi
exec "$@"
