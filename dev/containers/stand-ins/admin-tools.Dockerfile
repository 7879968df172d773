# A stand-in for Temporal's admin-tools image: its SQL tool from its Go module, and a stand-in for its command.
FROM alpine:3.22
RUN adduser -D -H -u 1000 temporal
COPY programs/temporal-sql-tool programs/temporal /usr/local/bin/
USER temporal
