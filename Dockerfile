# Images of Trigpoint, all from debian:bookworm-slim with the distribution's packages and the same scripts as the local way.
# Stages: base (scripts, Python) → db, redis, app, vllm. None runs as root; app holds no build tools and no tests.

FROM debian:bookworm-slim AS base
ENV LANG=C.UTF-8 PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
RUN apt-get update -qq \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends ca-certificates python3 >/dev/null \
    && rm -rf /var/lib/apt/lists/*
# only what installs packages, so that other changes do not install them anew
COPY scripts/packages /opt/trigpoint/scripts/
COPY scripts/lib/common.sh scripts/lib/apt.sh scripts/lib/pg-bin /opt/trigpoint/scripts/lib/
WORKDIR /opt/trigpoint

FROM base AS db
RUN sh scripts/packages db && rm -rf /var/lib/apt/lists/* \
    && install -d -o postgres -g postgres -m 0700 /var/lib/trigpoint
COPY scripts/bootstrap scripts/
COPY scripts/lib scripts/lib
COPY app/db/*.sql app/db/
USER postgres
VOLUME /var/lib/trigpoint
EXPOSE 5432
STOPSIGNAL SIGINT
CMD ["python3", "scripts/lib/services.py", "foreground", "postgres"]

FROM base AS redis
RUN sh scripts/packages redis && rm -rf /var/lib/apt/lists/*
COPY scripts/lib scripts/lib
USER redis
EXPOSE 6379
CMD ["python3", "scripts/lib/services.py", "foreground", "redis"]

FROM base AS app
ENV PIP_NO_CACHE_DIR=1 PATH=/opt/trigpoint/.venv/bin:$PATH
RUN sh scripts/packages python client && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /nonexistent --shell /usr/sbin/nologin trigpoint \
    && install -d -o trigpoint -g trigpoint -m 0700 /var/lib/trigpoint /var/lib/trigpoint/router
COPY scripts/venv scripts/word-tokens scripts/router scripts/
COPY requirements requirements
COPY pyproject.toml ./
RUN sh scripts/venv core && rm -rf .local
COPY app app
COPY osm_import osm_import
COPY workers workers
COPY migrations migrations
COPY sql_templates sql_templates
COPY scripts/lib scripts/lib
RUN python -m compileall -q app osm_import workers scripts/lib
USER trigpoint
ENV TRIGPOINT_LOCAL_DIR=/var/lib/trigpoint TRIGPOINT_HTTP_HOST=0.0.0.0 TRIGPOINT_HTTP_PORT=8080
VOLUME /var/lib/trigpoint
EXPOSE 8080
ENTRYPOINT ["trigpoint"]
CMD ["--help"]

# For the compose profile gpu: 10 GB, built only there; last, since builders without BuildKit make every stage before
# the one they are asked for. gcc and headers: Triton compiles its launchers when it starts.
FROM base AS vllm
ARG VLLM=0.33.0
ENV PIP_NO_CACHE_DIR=1 PATH=/opt/vllm/bin:$PATH HF_HOME=/var/lib/vllm HOME=/var/lib/vllm VLLM_NO_USAGE_STATS=1
RUN sh scripts/packages python \
    && apt-get update -qq \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends gcc libc6-dev python3-dev >/dev/null \
    && rm -rf /var/lib/apt/lists/* \
    && python3 -m venv /opt/vllm && /opt/vllm/bin/pip install --quiet "vllm==$VLLM" \
    && useradd --system --uid 10002 --home-dir /var/lib/vllm --shell /usr/sbin/nologin vllm \
    && install -d -o vllm -g vllm -m 0700 /var/lib/vllm
USER vllm
VOLUME /var/lib/vllm
EXPOSE 8000
ENTRYPOINT ["vllm", "serve", "--host", "0.0.0.0", "--port", "8000"]
