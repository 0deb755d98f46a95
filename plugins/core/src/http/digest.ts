import { createHash, randomBytes } from 'node:crypto';

interface Login {
  readonly username: string;
  readonly password: string;
}

interface Sent {
  readonly method: string;
  readonly url: string;
}

const hashes: Readonly<Record<string, string>> = {
  MD5: 'md5',
  'SHA-256': 'sha256',
  'SHA-512-256': 'sha512-256',
};

/** The header for a Digest challenge (RFC 7616); undefined when the server requires another scheme. */
export function answerDigest(
  challenges: readonly string[],
  { username, password }: Login,
  { method, url }: Sent,
  clientNonce: string = randomBytes(16).toString('hex'),
): string | undefined {
  const challenge = challenges.map(readChallenge).find((one) => one !== undefined);
  if (!challenge) return undefined;
  const { realm = '', nonce = '', opaque, qop, algorithm = 'MD5' } = challenge;
  const isSession = /-sess$/i.test(algorithm);
  const hash = hashes[algorithm.replace(/-sess$/i, '').toUpperCase()];
  if (hash === undefined) return undefined;
  const digest = (text: string) => createHash(hash).update(text).digest('hex');
  const { pathname, search } = new URL(url);
  const uri = `${pathname}${search}`;
  const plain = digest(`${username}:${realm}:${password}`);
  const first = isSession ? digest(`${plain}:${nonce}:${clientNonce}`) : plain;
  const second = digest(`${method}:${uri}`);
  const isQop = qop?.split(/\s*,\s*/).includes('auth') === true;
  const count = '00000001';
  const response = isQop
    ? digest(`${first}:${nonce}:${count}:${clientNonce}:auth:${second}`)
    : digest(`${first}:${nonce}:${second}`);
  return [
    `Digest username=${quoted(username)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    `response="${response}"`,
    ...(challenge.algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(isQop ? [`qop=auth`, `nc=${count}`, `cnonce="${clientNonce}"`] : []),
  ].join(', ');
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

function readChallenge(header: string): Record<string, string> | undefined {
  const match = /(?:^|,\s*)Digest\s+(.*)$/is.exec(header);
  if (!match) return undefined;
  const found: Record<string, string> = {};
  for (const [, name = '', text, word] of (match[1] ?? '').matchAll(
    /([a-z]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/gi,
  )) {
    found[name.toLowerCase()] ??= text === undefined ? (word ?? '') : text.replace(/\\(.)/g, '$1');
  }
  return found;
}
