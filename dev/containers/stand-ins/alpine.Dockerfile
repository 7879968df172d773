# A stand-in for Alpine, of Debian's parts: busybox, the CA certificates, the time zones.
FROM stand-in-debian AS debian
RUN mkdir -p /small/bin /small/etc/ssl /small/usr/local/bin /small/usr/share /small/tmp /small/root && \
    cp /usr/bin/busybox /small/bin/ && \
    for name in $(busybox --list); do ln -s busybox "/small/bin/$name" 2>/dev/null || true; done && \
    cp -rL /etc/ssl/certs /small/etc/ssl/ && cp -r /usr/share/zoneinfo /small/usr/share/ && \
    echo 'root:x:0:0:root:/root:/bin/sh' >/small/etc/passwd && echo 'root:x:0:' >/small/etc/group && \
    chmod 1777 /small/tmp
FROM scratch
COPY --from=debian /small /
COPY stand-ins/apk stand-ins/adduser stand-ins/nc /usr/local/bin/
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
CMD ["/bin/sh"]
