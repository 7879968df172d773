# A stand-in for Temporal's server image: the server from its Go module.
FROM alpine:3.22
RUN adduser -D -H -u 1000 temporal
COPY programs/temporal-server /usr/local/bin/
COPY stand-ins/temporal-entrypoint.sh /etc/temporal/entrypoint.sh
WORKDIR /etc/temporal
USER temporal
CMD ["/etc/temporal/entrypoint.sh"]
