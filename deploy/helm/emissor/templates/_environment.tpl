{{- /*
The environment of one process: of the settings in config those that it reads (files/settings.yaml), what the chart
decides, and its secrets.
*/ -}}
{{- define "emissor.environment" -}}
{{- $values := .root.Values -}}
{{- $reader := ternary "commands" .component (eq .component "operator") -}}
{{- $readers := .root.Files.Get "files/settings.yaml" | fromYaml -}}
{{- $own := (index $values .component).config | default dict -}}
{{- $all := deepCopy $values.config -}}
{{- range $name, $value := $own -}}
{{- if not (has $reader (index $readers $name)) -}}
{{- fail (printf "%s.config.%s: this process does not read it" $.component $name) -}}
{{- end -}}
{{- $_ := set $all $name $value -}}{{- /* merge would take no false and no 0 */ -}}
{{- end -}}
{{- range $name := list "TEMPORAL_ADDRESS" "EMISSOR_DASHBOARD_URL" -}}
{{- if and (has $reader (index $readers $name)) (or (ne $name "EMISSOR_DASHBOARD_URL") $values.dashboard.enabled) -}}
{{- $_ := required (printf "config.%s is required" $name) (get $all $name) -}}
{{- end -}}
{{- end -}}
{{- range $name, $value := $all }}
{{- if has $reader (index $readers $name) }}
- name: {{ $name }}
  value: {{ ternary (int64 $value) $value (kindIs "float64" $value) | toString | quote }}
{{- end }}
{{- end }}
{{- $decided := dict
  "EMISSOR_LISTEN" ":8080"
  "EMISSOR_DASHBOARD_LISTEN" ":8090"
  "EMISSOR_ADMIN_LISTEN" ":9090"
  "EMISSOR_KEYSET_FILE" "/etc/emissor/keyset/keyset.json" -}}
{{- if $values.temporal.ca.name }}
{{- $_ := set $decided "TEMPORAL_TLS_SERVER_CA_CERT_PATH" "/etc/emissor/temporal/ca.pem" }}
{{- end -}}
{{- if $values.temporal.clientCertificate.name }}
{{- $_ := set $decided "TEMPORAL_TLS_CLIENT_CERT_PATH" "/etc/emissor/temporal/client.pem" }}
{{- end -}}
{{- range $name, $value := $decided }}
{{- if has $reader (index $readers $name) }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
{{- $secret := dict
  "EMISSOR_DATABASE_URL" (index $values.database .component)
  "TEMPORAL_API_KEY" $values.temporal.apiKey
  "EMISSOR_SMTP_URL" $values.secrets.smtpURL
  "EMISSOR_ALERTS_URL" $values.secrets.alertsURL
  "EMISSOR_TRACES_URL" $values.secrets.tracesURL
  "EMISSOR_DASHBOARD_OIDC_CLIENT_SECRET" $values.secrets.oidcClientSecret -}}
{{- range $name, $reference := $secret }}
{{- if and $reference.name (has $reader (index $readers $name)) }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef: {name: {{ $reference.name | quote }}, key: {{ $reference.key | quote }}}
{{- end }}
{{- end }}
{{- end -}}
