# syntax=docker/dockerfile:1
# One image for every process of ACE (target ace), and one more with torch (target gpu).
# /opt/ace/sbom.cdx.json in each lists its Python packages; `docker buildx build --sbom=true` adds Debian's.

# The newest that we know to exist. A release of Debian or Python that closes a hole means a new version here.
ARG PYTHON=3.11.15-slim-bookworm

FROM python:${PYTHON} AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/ace
WORKDIR /source
# Packages first: they change less often than we do.
COPY requirements/product.txt requirements/otel.txt ./
RUN --mount=type=cache,target=/root/.cache/pip \
    /opt/ace/bin/pip install --require-hashes --only-binary=:all: -r product.txt -r otel.txt
COPY pyproject.toml constraints.txt LICENSE NOTICE ./
COPY docs/package-index.md docs/

FROM python:${PYTHON} AS sbom
RUN python -m venv /opt/sbom
COPY requirements/sbom.txt ./
RUN --mount=type=cache,target=/root/.cache/pip \
    /opt/sbom/bin/pip install --require-hashes --only-binary=:all: -r sbom.txt

# torch has a build for each kind of GPU, and so no hash here: its version alone is pinned.
FROM build AS build-gpu
COPY patent_ace_client patent_ace_client
RUN mkdir ace workers migrations && echo '__version__ = "0"' > ace/__init__.py
RUN --mount=type=cache,target=/root/.cache/pip /opt/ace/bin/pip install --constraint constraints.txt ./patent_ace_client '.[gpu]'
COPY ace ace
COPY workers workers
COPY migrations migrations
RUN /opt/ace/bin/pip install --no-cache-dir --no-deps --force-reinstall .
RUN --mount=type=bind,from=sbom,source=/opt/sbom,target=/opt/sbom \
    /opt/sbom/bin/cyclonedx-py environment /opt/ace --output-reproducible -o /opt/ace/sbom.cdx.json

FROM build AS build-cpu
COPY ace ace
COPY patent_ace_client patent_ace_client
COPY workers workers
COPY migrations migrations
RUN /opt/ace/bin/pip install --no-cache-dir --no-deps --force-reinstall ./patent_ace_client .
RUN --mount=type=bind,from=sbom,source=/opt/sbom,target=/opt/sbom \
    /opt/sbom/bin/cyclonedx-py environment /opt/ace --output-reproducible -o /opt/ace/sbom.cdx.json

FROM python:${PYTHON} AS base
RUN useradd --system --uid 10001 --home-dir /nonexistent ace
ENV PATH=/opt/ace/bin:$PATH PYTHONUNBUFFERED=1 HF_HUB_DISABLE_TELEMETRY=1 HF_HOME=/tmp/huggingface
USER ace
WORKDIR /tmp
EXPOSE 8000
CMD ["ace", "--help"]

FROM base AS gpu
ENV NVIDIA_DRIVER_CAPABILITIES=compute,utility
COPY --from=build-gpu /opt/ace /opt/ace

# Debian's package brings the key of PostgreSQL's own repository.
FROM python:${PYTHON} AS postgresql-key
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-common

# The last stage is what `docker build .` makes. `ace backup` and `ace restore` run PostgreSQL's client programs.
FROM base AS ace
# The major version of the server. pg_dump must not be older.
ARG POSTGRES=18
USER root
COPY --from=postgresql-key /usr/share/postgresql-common/pgdg/apt.postgresql.org.asc /usr/share/keyrings/
RUN . /etc/os-release \
    && echo "deb [signed-by=/usr/share/keyrings/apt.postgresql.org.asc]" \
        "https://apt.postgresql.org/pub/repos/apt $VERSION_CODENAME-pgdg main" > /etc/apt/sources.list.d/pgdg.list \
    && apt-get update \
    && apt-get install --yes --no-install-recommends "postgresql-client-$POSTGRES" \
    && rm -rf /var/lib/apt/lists/*
USER ace
COPY --from=build-cpu /opt/ace /opt/ace
