#!/bin/sh
# Upgrades what docker-compose.yml runs to what is in this folder now, without a request that is refused: of API and
# dashboard there are two each, and one serves while the other is replaced. It can be run again at any time.
set -eu
cd "$(dirname "$0")/.."

docker compose build

# The engine and the schema first: the version that runs works with the new ones. Where this fails, that goes on.
docker compose run --rm migrate

# One after the other, each once the one before is ready. Not with --no-deps: by that Compose takes a service for another
# one, and replaces it again the next time.
for service in api-1 api-2 dashboard-1 dashboard-2 worker; do
	docker compose up --detach --wait "$service"
done

# What is left: Caddy, should its image or its ports have changed, and Temporal's UI. What was renamed goes.
docker compose up --detach --remove-orphans
docker compose exec -T caddy caddy reload --config /etc/caddy/Caddyfile --adapter caddyfile
