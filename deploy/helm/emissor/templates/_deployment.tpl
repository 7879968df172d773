{{- /* The Deployment of a process that serves or works. A new pod is ready before an old one stops. */ -}}
{{- define "emissor.deployment" -}}
{{- $own := index .root.Values .component -}}
{{- $pod := merge (dict "probes" true) . -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "emissor.metadata" . | nindent 2 }}
spec:
  {{- if not ($own.autoscaling | default dict).enabled }}
  replicas: {{ $own.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  strategy:
    rollingUpdate: {maxSurge: 1, maxUnavailable: 0}
  selector:
    matchLabels:
      {{- include "emissor.selector" . | nindent 6 }}
  template:
    {{- include "emissor.pod" $pod | nindent 4 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "emissor.metadata" . | nindent 2 }}
spec:
  maxUnavailable: {{ $own.maxUnavailable }}
  # One that is not healthy holds up no drain.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "emissor.selector" . | nindent 6 }}
{{- end -}}
