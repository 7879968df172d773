# The one image: emissor api, emissor worker, emissor migrate and the operator's commands.

FROM golang:1.27.3-alpine AS build
WORKDIR /src
ENV GOCACHE=/go/cache
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod go mod download
COPY . .
# What `emissor version` says that it was built from: --build-arg COMMIT=$(git rev-parse HEAD)
ARG COMMIT=unknown
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/go/cache \
    CGO_ENABLED=0 go build -buildvcs=false -trimpath -ldflags="-s -w -X main.linkedCommit=$COMMIT" \
        -o /emissor ./cmd/emissor

FROM alpine:3.22
RUN apk add --no-cache ca-certificates tzdata && adduser -D -H -u 10001 emissor
COPY --from=build /emissor /usr/local/bin/emissor
USER emissor
# Within the container; who may reach it is decided where its port is published.
ENV EMISSOR_LISTEN=0.0.0.0:8080
EXPOSE 8080 8090
# Ready: this process can do its work. The admin listener answers inside the container only, unless told otherwise.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
    CMD ["emissor", "healthcheck"]
ENTRYPOINT ["emissor"]
CMD ["serve"]
