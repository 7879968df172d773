#!/bin/sh
# Upgrades what docker-compose.yml runs to what is in this folder now, without a request that is refused: of API and
# dashboard there are two each, and one serves while the other is replaced. It can be run again at any time.
set -eu
cd "$(dirname "$0")/.."

docker compose build

# The engine and the schema first: the version that runs works with the new ones.
docker compose run --rm migrate

# replace SERVICE...: one after the other, each once the one before is ready.
replace() {
	for service in "$@"; do
		docker compose up --detach --no-deps --wait "$service"
	done
}
replace api-1 api-2 dashboard-1 dashboard-2 worker

# What is left: Caddy, should its image or its ports have changed, and Temporal's UI. What was renamed goes.
docker compose up --detach --remove-orphans
docker compose exec -T caddy caddy reload --config /etc/caddy/Caddyfile --adapter caddyfile
