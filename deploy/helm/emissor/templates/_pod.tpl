{{- /* The pod of one process: what all have in common. .probes: whether it answers on the admin listener. */ -}}
{{- define "emissor.pod" -}}
{{- $values := .root.Values -}}
{{- $own := index $values .component -}}
{{- $keyset := has .component (list "worker" "dashboard" "operator") -}}
{{- $proofs := dict "ca.pem" $values.temporal.ca "client.pem" $values.temporal.clientCertificate -}}
{{- $proven := or $values.temporal.ca.name $values.temporal.clientCertificate.name -}}
{{- $temporal := and $proven (has .component (list "worker" "migrate")) -}}
metadata:
  labels:
    {{- include "emissor.labels" . | nindent 4 }}
    {{- with $values.pod.labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with $values.pod.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- if ne .component "migrate" }}
  serviceAccountName: {{ include "emissor.serviceAccountName" .root }}
  {{- end }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- with $values.image.pullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    seccompProfile: {type: RuntimeDefault}
  {{- with .restartPolicy }}
  restartPolicy: {{ . }}
  {{- end }}
  {{- with $own.terminationGracePeriodSeconds }}
  terminationGracePeriodSeconds: {{ . }}
  {{- end }}
  {{- with $values.pod.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  {{- with $values.pod.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.pod.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.pod.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if .probes }}
  {{- with $values.pod.spreadOver }}
  topologySpreadConstraints:
    {{- range . }}
    - maxSkew: 1
      topologyKey: {{ . }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "emissor.selector" $ | nindent 10 }}
      matchLabelKeys: [pod-template-hash]
    {{- end }}
  {{- end }}
  {{- end }}
  containers:
    - name: {{ .component }}
      image: {{ include "emissor.image" .root | quote }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      {{- with .command }}
      command: {{ toJson . }}
      {{- else }}
      args: [{{ .component }}]
      {{- end }}
      env:
        {{- include "emissor.environment" . | nindent 8 }}
      {{- if .probes }}
      ports:
        {{- with .port }}
        - {name: http, containerPort: {{ . }}}
        {{- end }}
        - {name: metrics, containerPort: 9090}
      startupProbe:
        httpGet: {path: /livez, port: metrics}
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: {path: /livez, port: metrics}
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: {path: /readyz, port: metrics}
        periodSeconds: 5
        timeoutSeconds: 3
        failureThreshold: 3
      {{- end }}
      {{- with $own.preStopSeconds }}
      lifecycle:
        preStop:
          sleep: {seconds: {{ . }}}
      {{- end }}
      resources:
        {{- toYaml $own.resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: {drop: [ALL]}
      volumeMounts:
        - {name: tmp, mountPath: /tmp}
        {{- if $keyset }}
        - {name: keyset, mountPath: /etc/emissor/keyset, readOnly: true}
        {{- end }}
        {{- if $temporal }}
        - {name: temporal, mountPath: /etc/emissor/temporal, readOnly: true}
        {{- end }}
        {{- if $values.files }}
        - {name: files, mountPath: /etc/emissor/files, readOnly: true}
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {sizeLimit: 256Mi}
    {{- if $keyset }}
    - name: keyset
      secret:
        secretName: {{ $values.keyset.name }}
        defaultMode: 0440
        items: [{key: {{ $values.keyset.key | quote }}, path: keyset.json}]
    {{- end }}
    {{- if $temporal }}
    - name: temporal
      projected:
        defaultMode: 0440
        sources:
          {{- range $path, $reference := $proofs }}
          {{- with $reference.name }}
          - secret: {name: {{ . | quote }}, items: [{key: {{ $reference.key | quote }}, path: {{ $path }}}]}
          {{- end }}
          {{- end }}
    {{- end }}
    {{- with $values.files }}
    - name: files
      projected:
        defaultMode: 0440
        sources:
          {{- toYaml . | nindent 10 }}
    {{- end }}
{{- end -}}
