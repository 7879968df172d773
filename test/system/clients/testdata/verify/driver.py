# Answers each case of stdin, as the test writes them: ok, or refused and why.
import base64
import sys

import emissor_webhook

for line in sys.stdin:
    secret, kind, header, body, now, tolerance = line.rstrip("\n").split("\t")
    secret, header, body = base64.b64decode(secret).decode(), base64.b64decode(header), base64.b64decode(body)
    header = {"none": lambda: None, "text": header.decode, "bytes": lambda: header.decode("latin-1")}[kind]()
    try:
        emissor_webhook.verify(secret, header, body, int(tolerance), int(now))
        print("ok")
    except ValueError as why:
        print("refused", why)
