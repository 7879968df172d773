"""Verifies webhooks of Emissor: one file to copy. Python 3.9 or newer, and nothing but its standard library.

Promised: verify returns only where a signature in the header was made with this secret, of exactly these bytes, at
most `tolerance` seconds ago. Whatever was sent, it returns or raises a ValueError that says why, after one look at the
header and the body, and compares signatures in constant time.

Left to you: give it the body as it came, before anything parses it; answer 2xx within 15 seconds and work on the event
afterwards; do nothing for an event whose id you have seen, because the same one may come again.
"""
import hashlib
import hmac
import re
import time

__all__ = ["verify"]


def verify(secret, header, body, tolerance=300, now=None):
    """Raises ValueError unless a header `service-signature`, a str or None, signs a body, which is bytes.

    `now` is in Unix seconds; without it, it is the clock's.
    """
    if not secret:
        raise ValueError("the secret of the endpoint is missing")
    fields = header.split(",") if isinstance(header, str) else [""]
    signed = re.fullmatch("t=([0-9]{1,12})", fields[0])
    if not signed:
        raise ValueError("the header service-signature is missing, or has no time")
    if not abs((time.time() if now is None else now) - int(signed[1])) <= tolerance:
        raise ValueError("it was not signed lately: it is a replay, or a clock is wrong")
    mac = hmac.new(secret.encode(), signed[1].encode() + b"." + body, hashlib.sha256)
    expected = b"v1=" + mac.hexdigest().encode()
    # There are two v1 while a secret is being changed. Fields that a later version adds are not looked at.
    if not any(hmac.compare_digest(field.encode(errors="replace"), expected) for field in fields):
        raise ValueError("no signature is of this body, by this secret")
