# A stand-in for PostgreSQL's image: Debian's PostgreSQL, whose version is the one of Debian.
FROM stand-in-debian
RUN rm -rf /var/lib/postgresql && mkdir -p /var/lib/postgresql/data /docker-entrypoint-initdb.d && \
    chown -R postgres:postgres /var/lib/postgresql && ln -s /usr/lib/postgresql/*/bin/* /usr/local/bin/
COPY stand-ins/postgres-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
ENV PGDATA=/var/lib/postgresql/data LANG=C.UTF-8
VOLUME /var/lib/postgresql/data
STOPSIGNAL SIGINT
ENTRYPOINT ["docker-entrypoint.sh"]
CMD ["postgres"]
