{{- /* What templates share: names, labels, environments, and the one shape of a Deployment. */ -}}

{{- define "ace.name" -}}
{{ printf "%s-%s" .root.Release.Name .part | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "ace.selector" -}}
app.kubernetes.io/name: ace
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "ace.labels" -}}
{{ include "ace.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "ace.image" -}}
{{- $image := .gpu | default false | ternary .root.Values.gpuImage .root.Values.image -}}
image: {{ printf "%s:%s" $image.repository ($image.tag | default .root.Chart.AppVersion) | quote }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
{{- end }}

{{- define "ace.secretEnv" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef: { name: {{ .secret | quote }}, key: {{ .key | quote }} }
{{- end }}

{{- /* root, part, settings, databaseKey, expert: the environment of a process */ -}}
{{- define "ace.env" -}}
{{- $values := .root.Values -}}
{{ include "ace.secretEnv" (dict "name" "ACE_DATABASE_URL" "secret" $values.database.existingSecret "key" .databaseKey) }}
{{ include "ace.secretEnv" (dict "name" "ACE_BROKER_URL" "secret" $values.broker.existingSecret "key" $values.broker.key) }}
{{- if .signs }}
{{ include "ace.secretEnv" (dict "name" "ACE_SECRET" "secret" $values.signing.existingSecret "key" $values.signing.key) }}
{{- end }}
{{- if .expert }}
{{- with $values.expert }}
{{- if .url }}
- { name: ACE_EXPERT_URL, value: {{ .url | quote }} }
{{- end }}
{{- if .urlsKey }}
{{ include "ace.secretEnv" (dict "name" "ACE_EXPERT_URLS" "secret" .existingSecret "key" .urlsKey) }}
{{- end }}
{{- if .tokenKey }}
{{ include "ace.secretEnv" (dict "name" "ACE_EXPERT_TOKEN" "secret" .existingSecret "key" .tokenKey) }}
{{- end }}
{{- end }}
{{- end }}
- { name: ACE_SHUTDOWN_GRACE_SECONDS, value: {{ $values.shutdownGraceSeconds | quote }} }
{{- range $name, $value := mergeOverwrite (deepCopy $values.settings) (.settings | default dict) }}
- { name: {{ printf "ACE_%s" (upper $name) }}, value: {{ include "ace.plain" $value | quote }} }
{{- end }}
{{- end }}

{{- /* Helm reads every number as a float, and writes large ones as 4e+06. */ -}}
{{- define "ace.plain" -}}
{{- if and (kindIs "float64" .) (eq . (floor .)) -}}{{ int64 . }}{{- else -}}{{ . }}{{- end -}}
{{- end }}

{{- define "ace.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "ace.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "ace.mounts" -}}
- { name: tmp, mountPath: /tmp }
{{- if .root.Values.authority.existingConfigMap }}
- { name: authority, mountPath: /authority, readOnly: true }
{{- end }}
{{- if .gpu }}
- { name: model, mountPath: /models, readOnly: true }
{{- end }}
{{- end }}

{{- define "ace.volumes" -}}
- name: tmp
  emptyDir: {}
{{- with .root.Values.authority }}
{{- if .existingConfigMap }}
- name: authority
  configMap:
    name: {{ .existingConfigMap | quote }}
    items: [{ key: {{ .key | quote }}, path: {{ .key | quote }} }]
{{- end }}
{{- end }}
{{- if .gpu }}
- name: model
  persistentVolumeClaim: { claimName: {{ .root.Values.gatekeeperGpu.model.existingClaim | quote }}, readOnly: true }
{{- end }}
{{- end }}

{{- /* One Deployment with its disruption budget. root, part, values, args, databaseKey; gpu, expert, signs, scaled,
       port, probes */ -}}
{{- define "ace.deployment" -}}
{{- $name := include "ace.name" . -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels: {{- include "ace.labels" . | nindent 4 }}
spec:
  {{- if not .scaled }}
  replicas: {{ .values.replicas }}
  {{- end }}
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  selector:
    matchLabels: {{- include "ace.selector" . | nindent 6 }}
  template:
    metadata:
      labels: {{- include "ace.labels" . | nindent 8 }}
    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      # Ten seconds more than a process takes to give back what it holds.
      terminationGracePeriodSeconds: {{ add .root.Values.shutdownGraceSeconds 10 }}
      securityContext: {{- include "ace.podSecurity" . | nindent 8 }}
      {{- with .root.Values.image.pullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .values.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .values.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      topologySpreadConstraints:
        {{- $labels := include "ace.selector" . }}
        {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- $labels | nindent 14 }}
        {{- end }}
      containers:
        - name: {{ .part }}
          {{- include "ace.image" . | nindent 10 }}
          args: {{ toJson .args }}
          env:
            {{- $env := dict "root" .root "databaseKey" .databaseKey "signs" .signs "expert" .expert }}
            {{- $watched := (not (not .port)) | ternary (dict) (dict "host" "0.0.0.0" "metrics_port" "9400") }}
            {{- $settings := .root.Values.serviceMonitor.enabled | ternary (merge $watched .settings) .settings }}
            {{- include "ace.env" (merge $env (dict "settings" $settings)) | nindent 12 }}
          {{- if .port }}
          ports: [{ name: http, containerPort: {{ .port }} }]
          {{- else if .root.Values.serviceMonitor.enabled }}
          ports: [{ name: metrics, containerPort: 9400 }]
          {{- end }}
          {{- toYaml .probes | nindent 10 }}
          resources: {{- toYaml .values.resources | nindent 12 }}
          securityContext: {{- include "ace.containerSecurity" . | nindent 12 }}
          volumeMounts: {{- include "ace.mounts" . | nindent 12 }}
      volumes: {{- include "ace.volumes" . | nindent 8 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  labels: {{- include "ace.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels: {{- include "ace.selector" . | nindent 6 }}
{{- end }}

{{- /* root, file: what a process without a port is asked */ -}}
{{- define "ace.askedByScript" -}}
livenessProbe:
  exec:
    command: [python, -c, {{ .root.Files.Get .file | toJson }}]
  initialDelaySeconds: 60
  periodSeconds: 30
  timeoutSeconds: 10
  failureThreshold: 4
{{- end }}
