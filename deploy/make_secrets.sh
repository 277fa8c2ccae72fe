#!/bin/sh
# Makes the files of secrets that docker-compose.yml names; those that are there stay as they are.
# The folder is closed to others on this machine. The files are not, because containers read them as other users.
set -eu
cd "$(dirname "$0")/.."
mkdir -p secrets
chmod 700 secrets
for name in postgres_password api_password worker_password redis_password ace_secret grafana_password; do
  [ -s "secrets/$name" ] || openssl rand -hex 32 > "secrets/$name"
done
for name in ace_other_secrets ace_expert_token; do
  [ -e "secrets/$name" ] || : > "secrets/$name"
done
chmod 644 secrets/*
