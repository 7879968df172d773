#!/usr/bin/env bash
# A machine of its own for Docker, made of namespaces: a Debian with nothing but the container engine, a network of its
# own behind this machine's, and its processes. It ends with this script, and leaves nothing behind but its caches (and
# the forwarding of packets, which Docker would have turned on here as well).
#
#   machine.sh FOLDER COMMAND...     runs COMMAND here, with MACHINE, the id of the machine's first process
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(realpath -m "$1")
shift

name=emissor-$$
outside=ve$$
first=$(($$ % 64 * 4))
inside=198.51.100.$((first + 2)) # of TEST-NET-2, which is nobody's
gateway=198.51.100.$((first + 1))
pid=
MACHINE=

end() {
	# With its first process ends everything in its PID namespace, and then what started it.
	kill -KILL ${MACHINE:-$pid} 2>/dev/null || true
	wait 2>/dev/null || true
	nft delete table ip "$name" 2>/dev/null || true
	ip netns delete "$name" 2>/dev/null || true
	ip link delete "$outside" 2>/dev/null || true
	find /sys/fs/cgroup -depth -type d -path "*/$name*" -exec rmdir {} + 2>/dev/null || true
}
trap end EXIT
trap 'exit 1' INT TERM

# The network. Only what builds download goes through it.
ip netns add "$name"
ip link add "$outside" mtu 1400 type veth peer name eth0 mtu 1400 netns "$name"
ip address add $gateway/30 dev "$outside"
ip link set "$outside" up
ip -n "$name" link set lo up
ip -n "$name" address add $inside/30 dev eth0
ip -n "$name" link set eth0 up
ip -n "$name" route add default via $gateway
echo 1 >/proc/sys/net/ipv4/ip_forward
nft -f - <<-END
	table ip $name {
		chain outgoing {
			type nat hook postrouting priority srcnat;
			ip saddr $inside masquerade
		}
	}
END

nsenter --net="/run/netns/$name" unshare --mount --pid --uts --ipc --fork --kill-child \
	bash "$here/boot.sh" "$folder" "$name" >"$folder/machine.log" 2>&1 &
pid=$!
for ((tries = 0; ; tries++)); do
	MACHINE=$(pgrep -P "$pid" | head -1) || true
	if [ -n "$MACHINE" ] && nsenter --all --target "$MACHINE" docker version >/dev/null 2>&1; then
		break
	fi
	if [ "$tries" = 120 ] || ! kill -0 "$pid" 2>/dev/null; then
		tail -20 "$folder/machine.log" >&2
		echo "containers: Docker does not start in a machine of its own" >&2
		exit 1
	fi
	sleep 0.5
done
export MACHINE
"$@"
