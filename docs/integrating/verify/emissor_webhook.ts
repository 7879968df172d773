/**
 * Verifies webhooks of Emissor: one file to copy. Node.js 20 or newer, and nothing but its standard library.
 *
 * Promised: verify returns only where a signature in the header was made with this secret, of exactly these bytes, at
 * most `tolerance` seconds ago. Whatever was sent, it returns or throws an Error that says why, after one look at the
 * header and the body, and compares signatures in constant time.
 *
 * Left to you: give it the body as it came, before anything parses it; answer 2xx within 15 seconds and work on the
 * event afterwards; do nothing for an event whose id you have seen, because the same one may come again.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Throws unless a header `service-signature` signs a body. `now` is in Unix seconds. */
export function verify(
  secret: string | undefined,
  header: string | string[] | null | undefined,
  body: Uint8Array,
  tolerance = 300,
  now = Date.now() / 1000,
): void {
  if (!secret) throw new Error('the secret of the endpoint is missing');
  const fields = typeof header === 'string' ? header.split(',') : [];
  const moment = /^t=([0-9]{1,12})$/.exec(fields[0] ?? '')?.[1];
  if (!moment) throw new Error('the header service-signature is missing, or has no time');
  if (!(Math.abs(now - Number(moment)) <= tolerance)) {
    throw new Error('it was not signed lately: it is a replay, or a clock is wrong');
  }
  const mac = createHmac('sha256', secret).update(moment + '.').update(body);
  const expected = Buffer.from('v1=' + mac.digest('hex'));
  // There are two v1 while a secret is being changed. Fields that a later version adds are not looked at.
  const same = fields.some((field) => {
    const given = Buffer.from(field);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!same) throw new Error('no signature is of this body, by this secret');
}
