// Package watch tests what operators watch Emissor with: the rules for Prometheus and their runbooks, the
// dashboards for Grafana, and that the alarms fire, and end, when something is out.
package watch
