{{- define "emissor.service" -}}
{{- $own := (index .root.Values .component).service -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "emissor.metadata" . | nindent 2 }}
  {{- with $own.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  type: {{ $own.type }}
  ports:
    - {name: http, port: {{ $own.port }}, targetPort: http}
  selector:
    {{- include "emissor.selector" . | nindent 4 }}
{{- end -}}
