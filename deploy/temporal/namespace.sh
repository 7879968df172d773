#!/bin/sh
# Registers Emissor's namespace and waits until it can be used, with the temporal command of the admin-tools image (which reads
# TEMPORAL_ADDRESS). It can be run again at any time.
set -eu

until temporal operator cluster health; do
	sleep 1
done
temporal operator namespace describe --namespace emissor >/dev/null 2>&1 ||
	temporal operator namespace create --namespace emissor --retention 72h --description "Emissor's workflows"

# The server's services know a new namespace after a few seconds.
until temporal operator search-attribute list --namespace emissor >/dev/null; do
	sleep 1
done
