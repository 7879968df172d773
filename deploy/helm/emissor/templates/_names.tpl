{{- define "emissor.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $both := printf "%s-%s" .Release.Name $name -}}
{{- ternary .Release.Name $both (contains $name .Release.Name) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "emissor.version" -}}
{{- default .Chart.AppVersion .Values.image.tag -}}
{{- end -}}

{{- define "emissor.image" -}}
{{- $missing := "image.repository says where your image is: there is no public one" -}}
{{- required $missing .Values.image.repository }}:{{ include "emissor.version" . }}
{{- with .Values.image.digest }}@{{ . }}{{ end -}}
{{- end -}}

{{- /* What finds all pods of a release; .component narrows it to those of one process. */ -}}
{{- define "emissor.selector" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end -}}

{{- define "emissor.labels" -}}
{{ include "emissor.selector" . }}
app.kubernetes.io/version: {{ include "emissor.version" .root | trunc 63 | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 }}
{{- end -}}

{{- define "emissor.metadata" -}}
name: {{ include "emissor.fullname" .root }}-{{ .name | default .component }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "emissor.labels" . | nindent 2 }}
{{- end -}}

{{- define "emissor.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "emissor.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end -}}
