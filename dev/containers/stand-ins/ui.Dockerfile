# A stand-in for the image of Temporal's UI: the server from its Go module, which has the pages, and its settings.
FROM alpine:3.22
RUN adduser -D -H -u 1000 temporal
WORKDIR /home/ui-server
COPY programs/temporal-ui ui-server
COPY programs/temporal-ui.yaml config/docker.yaml
USER temporal
ENTRYPOINT ["./ui-server", "--env", "docker", "start"]
