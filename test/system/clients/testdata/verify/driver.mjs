// Answers each case of stdin, as the test writes them: ok, or refused and why.
import { readFileSync } from 'node:fs';
import { verify } from './emissor_webhook.js';

for (const line of readFileSync(0, 'latin1').trimEnd().split('\n')) {
  const [secret, kind, header, body, now, tolerance] = line.split('\t');
  const plain = (text) => Buffer.from(text, 'base64');
  const given = kind === 'none' ? undefined : plain(header).toString(kind === 'text' ? 'utf8' : 'latin1');
  try {
    verify(plain(secret).toString(), given, plain(body), Number(tolerance), Number(now));
    console.log('ok');
  } catch (why) {
    if (why.constructor !== Error) throw why;
    console.log('refused', why.message);
  }
}
