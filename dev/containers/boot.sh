#!/usr/bin/env bash
# The first process of the machine (machine.sh): makes its file system, and starts Docker.
set -euo pipefail
folder=$1
name=$2
root=$folder/root

mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t sysfs sysfs "$root/sys"
mount --rbind /sys/fs/cgroup "$root/sys/fs/cgroup"
mount --rbind /dev "$root/dev"
for temporary in tmp run srv; do
	mount -t tmpfs tmpfs "$root/$temporary"
done
cp /etc/resolv.conf "$root/etc/resolv.conf"

# What the stand-ins are made of, and Docker's images and build cache, which stay for the next run. The volumes do not,
# and their disk is small enough to be filled.
mkdir -p "$folder/docker" "$root/var/lib/docker" "$root/srv/parts" "$root/srv/go"
mount --bind "$folder/parts" "$root/srv/parts"
mount --bind "$(go env GOROOT)" "$root/srv/go"
mount --bind "$folder/docker" "$root/var/lib/docker"
rm -rf "$folder/docker/containers" "$folder/docker/network" "$folder/docker/volumes"
mkdir "$folder/docker/volumes"
mount -t tmpfs -o size=3g tmpfs "$root/var/lib/docker/volumes"

cd "$root"
pivot_root . mnt
umount -l /mnt
hostname emissor
echo "127.0.0.1 localhost emissor" >/etc/hosts
# Nine containers count as nine programs of this machine, not as one.
if [ -d /sys/fs/cgroup/cpu ]; then
	mkdir -p "/sys/fs/cgroup/cpu/$name"
	echo $((9 * 1024)) >"/sys/fs/cgroup/cpu/$name/cpu.shares"
fi
dockerd --cgroup-parent "/$name" --exec-opt native.cgroupdriver=cgroupfs --mtu 1400 --log-level warn &
wait
