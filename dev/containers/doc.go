// Package containers follows the pages of docs/operations on a machine that has nothing but Docker, and breaks what
// docker-compose.yml runs there. It has tests only, with the build tag of its name: run.sh makes the machine.
package containers
