# The demo in a container: docker build -t distval . && docker run --rm distval
FROM python:3.12-slim
RUN apt-get update && apt-get install -y --no-install-recommends make && rm -rf /var/lib/apt/lists/*
WORKDIR /distval
COPY . .
RUN make setup
ENTRYPOINT [".venv/bin/distval"]
CMD ["run", "conf/demo.toml"]
