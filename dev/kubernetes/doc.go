// Package kubernetes tests the Helm chart (deploy/helm): what it makes of values, with the helm program and the types
// of two versions of Kubernetes, and, in make test-long, what becomes of it on a real API server, kubelet and
// containers, while pods are killed and replaced. It has tests only.
package kubernetes
