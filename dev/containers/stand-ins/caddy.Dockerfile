# A stand-in for Caddy's image: Caddy from its Go module, with the capability that the program of that image has.
FROM stand-in-debian AS debian
COPY programs/caddy /caddy
RUN setcap cap_net_bind_service=+ep /caddy
FROM alpine:3.22
COPY --from=debian /caddy /usr/bin/caddy
ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
WORKDIR /srv
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
