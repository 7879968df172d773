#!/bin/sh
# As the entrypoint of Temporal's server image: who listens at every address tells the others its own.
set -eu
address=$(hostname -i)
export BIND_ON_IP="${BIND_ON_IP:-$address}"
[ "$BIND_ON_IP" != 0.0.0.0 ] || export TEMPORAL_BROADCAST_ADDRESS="${TEMPORAL_BROADCAST_ADDRESS:-${address%% *}}"
exec temporal-server start
