# The image of the action. No USER: GitHub's runner needs the container to start as root, and the action itself takes
# on the uid of the workspace's owner before it reads anything. Plain instructions, so that every builder can build it.
FROM python:3.13-slim

# -B and --no-compile: bytecode of pip itself, and of what no run imports, would be half of the layer.
COPY requirements.lock /opt/agenttest/
RUN python3 -B -m pip install --no-compile --no-cache-dir --disable-pip-version-check --root-user-action=ignore \
    --require-hashes --no-deps --only-binary=:all: -r /opt/agenttest/requirements.lock

COPY entrypoint.py /opt/agenttest/
COPY agenttest /opt/agenttest/agenttest
# Compile what a run imports now (the official image ships the standard library uncompiled), and let the workspace's
# owner read it all, whatever umask the checkout had.
RUN PYTHONPATH=/opt/agenttest python3 -c "import agenttest.action, jinja2, jsonschema, urllib3, yaml, \
    encodings.idna, encodings.unicode_escape, urllib.request, xml.sax.saxutils" \
    && python3 -m compileall -q /opt/agenttest \
    && chmod -R a+rX /opt/agenttest

# What a release says of itself; last, as nothing is built from it.
ARG VERSION=unreleased
ARG REVISION=unknown
ARG SOURCE=https://github.com/org/agent-test-action
LABEL org.opencontainers.image.title="agent-test-action" \
      org.opencontainers.image.description="Checks from evidence that a running AI agent still keeps its behaviour contract" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.source="${SOURCE}"

# The working directory is a stranger's checkout: -I keeps it, PYTHONPATH and every other PYTHON* out of the import path.
ENTRYPOINT ["python3", "-IB", "-X", "utf8", "/opt/agenttest/entrypoint.py"]
