// Issues, reads and cancels a note by the types that openapi-typescript made, and openapi-fetch.
import createClient from 'openapi-fetch';
import type { components, paths } from './emissor.js';

const api = createClient<paths>({
  baseUrl: process.env.EMISSOR_API_URL!,
  headers: { Authorization: `Bearer ${process.env.EMISSOR_API_KEY}` },
});

const fail = (what: string, answer: unknown): never => {
  throw new Error(`${what}: ${JSON.stringify(answer)}`);
};

/** Polls a note until it stands there. */
async function awaitStatus(id: string, status: components['schemas']['NfseStatus']): Promise<string> {
  for (;;) {
    const { data, error, response } = await api.GET('/v1/nfse/{id}', { params: { path: { id } } });
    if (!data) return fail('the note', error);
    if (data.status === status) return id;
    await new Promise((done) => setTimeout(done, Number(response.headers.get('Retry-After')) * 1000));
  }
}

function report(error: components['schemas']['Error'] | undefined): void {
  if (!error?.error.field || !error.error.request_id || error.error.retryable) return fail('the error', error);
  console.log('error', error.error.code, error.error.field);
}

const { data: service, error: noService } = await api.POST('/v1/services', {
  body: {
    name: 'Consulta', description: 'Consulta médica', municipality_code: '3550308', default_amount_cents: 15000,
    iss_rate: 2.01,
  },
});
if (service?.iss_rate !== 2.01) throw fail('the service', noService ?? service);

const body: components['schemas']['CreateNfse'] = {
  reference: 'order-1001',
  service_id: service.id,
  amount_cents: 15000,
  customer: {
    document: '529.982.247-25',
    name: 'Maria da Silva',
    address: { zip_code: '01310-100', street: 'Avenida Paulista', number: '1578', district: 'Bela Vista' },
  },
};
const { data: accepted, error: notAccepted } = await api.POST('/v1/nfse', { body });
if (accepted?.idempotent !== false) throw fail('the issuance', notAccepted ?? accepted);
const { data: replay, error: noReplay } = await api.POST('/v1/nfse', { body });
if (!replay?.idempotent || replay.id !== accepted.id) throw fail('the replay', noReplay ?? replay);
const id = accepted.id;
console.log('issued', await awaitStatus(id, 'issued'));

const { data: xml, error: noXML } = await api.GET('/v1/nfse/{id}/xml', { params: { path: { id } }, parseAs: 'text' });
if (!xml?.includes('<')) throw fail('the XML', noXML);
console.log('xml', Buffer.byteLength(xml));

const { data: cancelled, error: notCancelled } = await api.POST('/v1/nfse/{id}/cancel', {
  params: { path: { id } },
  body: { reason_code: '2', reason_text: 'The customer gave up before the service began.' },
});
if (cancelled?.cancellation?.status !== 'pending') throw fail('the cancellation', notCancelled ?? cancelled);
console.log('cancelled', await awaitStatus(id, 'cancelled'));

// @ts-expect-error: the types do not let service_id be left out
const missing = await api.POST('/v1/nfse', { body: { reference: 'order-1002' } });
report(missing.error);
report((await api.POST('/v1/nfse', {
  body: { ...body, reference: 'order-1003', service_id: 'srv_00000000000000000000000000' },
})).error);
report((await api.POST('/v1/nfse', { body: { ...body, amount_cents: 1 } })).error);
