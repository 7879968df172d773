#!/usr/bin/env bash
# In the machine: makes a stand-in for each image that Dockerfile and docker-compose.yml ask a registry for, which cannot
# be reached from every machine. They show how Emissor is put together and run; the real ones have other contents.
#
#   images.sh IMAGE...     under exactly these names
set -euo pipefail
parts=/srv/parts

docker image inspect stand-in-debian >/dev/null 2>&1 || docker import --change 'CMD ["/bin/bash"]' "$parts/debian.tar" stand-in-debian
for image in "$@"; do
	name=${image%:*}
	name=${name##*/}
	[ -e "$parts/stand-ins/$name.Dockerfile" ] || {
		echo "containers: there is no stand-in for $image" >&2
		exit 1
	}
	docker build --quiet --tag "$image" --file "$parts/stand-ins/$name.Dockerfile" \
		--build-arg "GOPROXY=$GOPROXY" --build-context go=/srv/go "$parts" >/dev/null
done
