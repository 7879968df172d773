# A stand-in for Go's image on Alpine: Debian with the Go of this machine, and with the way to modules that it has.
FROM stand-in-debian
COPY --from=go . /usr/local/go
COPY ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
ARG GOPROXY
ENV PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin GOPATH=/go \
    GOPROXY=$GOPROXY GOTOOLCHAIN=local
