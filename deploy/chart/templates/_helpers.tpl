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

{{- /* root, settings, expert, models: the environment of a process. Secrets are in none: "ace.secrets" has them. */ -}}
{{- define "ace.env" -}}
{{- $values := .root.Values -}}
{{- if and .expert $values.expert.url -}}
- { name: ACE_EXPERT_URL, value: {{ $values.expert.url | quote }} }
{{ end -}}
- { name: ACE_SHUTDOWN_GRACE_SECONDS, value: {{ $values.shutdownGraceSeconds | quote }} }
{{- if and .models $values.models.existingClaim }}
- { name: ACE_MODELS_DIR, value: /models }
{{- end }}
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

{{- /* root, databaseKey, signs, expert: what a process may know, as files that are named after settings */ -}}
{{- define "ace.secrets" -}}
{{- $database := .root.Values.database }}
{{- $broker := .root.Values.broker }}
{{- $files := list (list $database.existingSecret .databaseKey "ace_database_url")
  (list $broker.existingSecret $broker.key "ace_broker_url") }}
{{- if .signs }}
{{- with .root.Values.signing }}
{{- $files = append $files (list .existingSecret .key "ace_secret") }}
{{- $files = append $files (list .existingSecret .otherKey "ace_other_secrets") }}
{{- end }}
{{- end }}
{{- if .expert }}
{{- with .root.Values.expert }}
{{- $files = append $files (list .existingSecret .urlsKey "ace_expert_urls") }}
{{- $files = append $files (list .existingSecret .tokenKey "ace_expert_token") }}
{{- end }}
{{- end }}
- name: secrets
  projected:
    defaultMode: 0440
    sources:
      {{- range $files }}
      {{- if index . 1 }}
      - secret:
          name: {{ index . 0 | quote }}
          items: [{ key: {{ index . 1 | quote }}, path: {{ index . 2 }} }]
          {{- if eq (index . 2) "ace_other_secrets" }}
          optional: true # it is there while ACE_SECRET is rotated
          {{- end }}
      {{- end }}
      {{- end }}
{{- end }}

{{- /* root; models: "" for a process without models, "read" or "write"; backups: the claim of their volume */ -}}
{{- define "ace.mounts" -}}
- { name: tmp, mountPath: /tmp }
- { name: secrets, mountPath: /run/secrets, readOnly: true }
{{- if .root.Values.authority.existingConfigMap }}
- { name: authority, mountPath: /authority, readOnly: true }
{{- end }}
{{- if and .models .root.Values.models.existingClaim }}
- { name: models, mountPath: /models, readOnly: {{ eq .models "read" }} }
{{- end }}
{{- if .backups }}
- { name: backups, mountPath: /backups }
{{- end }}
{{- end }}

{{- define "ace.volumes" -}}
- name: tmp
  emptyDir: {}
{{ include "ace.secrets" . }}
{{- with .root.Values.authority }}
{{- if .existingConfigMap }}
- name: authority
  configMap:
    name: {{ .existingConfigMap | quote }}
    items: [{ key: {{ .key | quote }}, path: {{ .key | quote }} }]
{{- end }}
{{- end }}
{{- $claim := .root.Values.models.existingClaim }}
{{- if and .models $claim }}
- name: models
  persistentVolumeClaim: { claimName: {{ $claim | quote }}, readOnly: {{ eq .models "read" }} }
{{- end }}
{{- with .backups }}
- name: backups
  persistentVolumeClaim: { claimName: {{ . | quote }} }
{{- end }}
{{- end }}

{{- /* root, part, args, resources; models, backups, signs: a pod that logs in as the owner of the database */ -}}
{{- define "ace.ownerPod" -}}
{{- $pod := dict "root" .root "databaseKey" .root.Values.database.ownerKey "models" .models "signs" .signs
  "backups" .backups -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext: {{- include "ace.podSecurity" . | nindent 2 }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
containers:
  - name: {{ .part }}
    {{- include "ace.image" . | nindent 4 }}
    args: {{ toJson .args }}
    env: {{- include "ace.env" . | nindent 6 }}
    resources: {{- toYaml .resources | nindent 6 }}
    securityContext: {{- include "ace.containerSecurity" . | nindent 6 }}
    volumeMounts: {{- include "ace.mounts" . | nindent 6 }}
volumes: {{- include "ace.volumes" $pod | nindent 2 }}
{{- end }}

{{- /* One Deployment with its disruption budget. root, part, values, args, databaseKey; gpu, models, expert, signs,
       scaled, port, probes */ -}}
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
            {{- $watched := (not (not .port)) | ternary (dict) (dict "host" "0.0.0.0" "metrics_port" "9400") }}
            {{- $settings := .root.Values.serviceMonitor.enabled | ternary (merge $watched .settings) .settings }}
            {{- include "ace.env" (dict "root" .root "expert" .expert "settings" $settings "models" .models) | nindent 12 }}
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
