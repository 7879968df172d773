# A stand-in for Temporal's admin-tools image: two of its tools from their Go modules.
FROM alpine:3.22
RUN adduser -D -H -u 1000 temporal
COPY programs/temporal-sql-tool programs/temporal /usr/local/bin/
USER temporal
