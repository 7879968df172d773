#!/usr/bin/env bash
# Runs the tests of the chart on a real API server, scheduler, kubelet and containers (build tag "cluster"), in network,
# process and mount namespaces of their own: nothing is left of them. Arguments are flags for go test. It needs root and
# some programs; without them it says so and does nothing.
set -euo pipefail
cd "$(dirname "$0")"
root=$(realpath ../..)
work=$root/.dev/kubernetes

skip() {
	echo "SKIPPED: the chart on a real API server: $*"
	exit 0
}
[ "$(id -u)" = 0 ] || skip 'only root can make namespaces and containers'
for program in runc:runc iptables:iptables ipset:ipset conntrack:conntrack ip:iproute2 busybox:busybox-static; do
	command -v "${program%:*}" >/dev/null || skip "${program%:*} is missing (on Debian: apt-get install ${program#*:})"
done
[ -d /sys/fs/cgroup ] || skip 'there are no control groups'

# Kubernetes, etcd, containerd and what enforces NetworkPolicies, from their Go modules: minutes the first time.
mkdir -p "$work/bin"
built=$(cat build/*/go.mod build/etcd/main.go | sha256sum)
if [ "$built" != "$(cat "$work/built" 2>/dev/null)" ]; then
	echo 'building Kubernetes: the first time takes many minutes'
	export CGO_ENABLED=0
	(cd build/etcd && go build -buildvcs=false -ldflags='-s -w' -o "$work/bin/etcd" .)
	version=$(sed -n 's|.*k8s.io/kubernetes v||p' build/kubernetes/go.mod)
	minor=${version#*.}
	stamp="-X k8s.io/component-base/version.gitVersion=v$version"
	stamp+=" -X k8s.io/component-base/version.gitMajor=${version%%.*}"
	stamp+=" -X k8s.io/component-base/version.gitMinor=${minor%%.*}"
	(cd build/kubernetes && go build -buildvcs=false -ldflags="-s -w $stamp" -o "$work/bin/" tool)
	(cd build/containers && go build -buildvcs=false -ldflags='-s -w' -o "$work/bin/" tool)
	(cd build/policies && go build -buildvcs=false -ldflags='-s -w' -o "$work/bin/" tool)
	echo "$built" >"$work/built"
fi
(cd "$root" && CGO_ENABLED=0 go build -buildvcs=false -ldflags='-s -w' -o "$work/bin/" ./cmd/emissor)
cp "$(CGO_ENABLED=0 go tool -n helm)" "$work/bin/helm"
CGO_ENABLED=0 go test -c -tags cluster -o "$work/cluster.test" .

# All that containers leave behind outside of their namespaces are empty control groups.
began=$(mktemp)
leave() {
	find /sys/fs/cgroup -depth -type d -path '*/k8s.io/*' -newer "$began" -exec rmdir {} + 2>/dev/null || true
	rm "$began"
}
trap leave EXIT
export CLUSTER_PROGRAMS=$work/bin
flags=()
for flag in "$@"; do flags+=("${flag/#-/-test.}"); done
unshare --net --mount --pid --fork --kill-child --mount-proc --propagation private -- \
	sh -c 'mount -t tmpfs tmpfs /run && ip link set lo up && exec "$@"' sh \
	"$root/.dev/bin/devstack" -no-ui -log "$work/devstack.log" -- \
	"$work/cluster.test" -test.timeout 30m "${flags[@]}"
