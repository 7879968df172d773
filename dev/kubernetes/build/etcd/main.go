// Command etcd is etcd's own server: its module cannot be installed by name, as it replaces others.
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() { etcdmain.Main(os.Args) }
