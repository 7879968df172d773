"""Issues, reads and cancels a note by the client that OpenAPI Generator made."""
import json
import os
import sys
import time

import emissor_client
from emissor_client import CancelNfse, CreateNfse, CreateService, InlineAddress, InlineCustomer

configuration = emissor_client.Configuration(host=os.environ["EMISSOR_API_URL"])
configuration.access_token = os.environ["EMISSOR_API_KEY"]
client = emissor_client.ApiClient(configuration)
services, notes = emissor_client.ServicesApi(client), emissor_client.NfseApi(client)


def check(good, what):
    if not good:
        sys.exit(f"not as expected: {what}")


def awaited(note_id, status):
    """Polls a note until it stands there."""
    while True:
        note, _, headers = notes.get_nfse_with_http_info(note_id)
        if note.status == status:
            return note_id
        time.sleep(int(headers["Retry-After"]))


def report(body):
    try:
        sys.exit(f"no error: {notes.create_nfse(body)}")
    except emissor_client.ApiException as failure:
        error = json.loads(failure.body)["error"]
        check(error["field"] and error["request_id"] and not error["retryable"], error)
        print("error", error["code"], error["field"])


service = services.create_service(CreateService(
    name="Consulta", description="Consulta médica", municipality_code="3550308", default_amount_cents=15000,
    iss_rate=2.01))
check(service.iss_rate == 2.01, service)


def charge(service_id, reference, amount_cents=15000):
    address = InlineAddress(zip_code="01310-100", street="Avenida Paulista", number="1578", district="Bela Vista")
    return CreateNfse(
        reference=reference, service_id=service_id, amount_cents=amount_cents,
        customer=InlineCustomer(document="529.982.247-25", name="Maria da Silva", address=address))


accepted = notes.create_nfse(charge(service.id, "order-1001"))
check(not accepted.idempotent, accepted)
replay = notes.create_nfse(charge(service.id, "order-1001"))
check(replay.idempotent and replay.id == accepted.id, replay)
print("issued", awaited(accepted.id, "issued"))

with open(notes.get_nfse_xml(accepted.id), "rb") as file:
    document = file.read()
check(b"<" in document, document)
print("xml", len(document))

cancelled = notes.cancel_nfse(accepted.id, CancelNfse(
    reason_code="2", reason_text="The customer gave up before the service began."))
check(cancelled.cancellation.status == "pending", cancelled)
print("cancelled", awaited(accepted.id, "cancelled"))

report({"reference": "order-1002"})
report(charge("srv_00000000000000000000000000", "order-1003"))
report(charge(service.id, "order-1001", amount_cents=1))
