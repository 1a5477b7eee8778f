{{- /* It always ends with the name of the chart, which the alerts look for. */ -}}
{{- define "privet.name" -}}
{{- if or (eq .Release.Name .Chart.Name) (hasSuffix (printf "-%s" .Chart.Name) .Release.Name) -}}{{ .Release.Name }}{{- else -}}{{ printf "%s-%s" (.Release.Name | trunc 43 | trimSuffix "-") .Chart.Name }}{{- end -}}
{{- end -}}

{{- define "privet.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "privet.labels" -}}
{{ include "privet.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "privet.image" -}}
{{- if .Values.image.digest -}}{{ printf "%s@%s" .Values.image.repository .Values.image.digest }}{{- else -}}{{ printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) }}{{- end -}}
{{- end -}}

{{- define "privet.secret" -}}
{{- default (include "privet.name" .) .Values.store.existingSecret -}}
{{- end -}}

{{- /* The port of listen.proxy_tls in the pod; empty without one. */ -}}
{{- define "privet.proxyTlsPort" -}}
{{- $listen := get .Values.config "listen" | default dict -}}
{{- with get $listen "proxy_tls" -}}{{- regexFind "[0-9]+$" (trim (toString .listen)) -}}{{- end -}}
{{- end -}}

{{- /* How many pods there are at least. */ -}}
{{- define "privet.replicasMin" -}}
{{- if .Values.autoscaling.enabled -}}{{ int .Values.autoscaling.minReplicas }}{{- else -}}{{ int .Values.replicas }}{{- end -}}
{{- end -}}

{{- /* A duration of the configuration in whole seconds, rounded up: "30s", "1.5m", or a number of milliseconds. */ -}}
{{- define "privet.seconds" -}}
{{- if kindIs "string" . -}}
{{- $units := dict "s" 1.0 "m" 60.0 "h" 3600.0 "d" 86400.0 -}}
{{- $unit := regexFind "[a-z]+$" (trim .) -}}
{{- mulf (float64 (regexFind "^[0-9.]+" (trim .))) (hasKey $units $unit | ternary (get $units $unit) 0.001) | ceil | int -}}
{{- else -}}
{{- divf . 1000 | ceil | int -}}
{{- end -}}
{{- end -}}
