# A stand-in for Temporal's admin-tools image: two of its tools from their Go modules.
FROM alpine:3.22
COPY programs/temporal-sql-tool programs/temporal /usr/local/bin/
USER 1000
