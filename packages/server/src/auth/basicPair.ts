import type { Pair } from './credentials.ts';

/** `Basic <base64>`; every other scheme proves nothing here. */
export function readBasicPair(header: string | undefined): Pair | undefined {
  const encoded = /^basic +(\S+)$/i.exec(header ?? '')?.[1];
  return encoded === undefined ? undefined : decodePair(encoded);
}

export function decodePair(encoded: string): Pair | undefined {
  const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/.exec(decodeCookie(encoded))?.[0];
  if (base64 === undefined) return undefined;
  const text = Buffer.from(base64, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Some clients encode the `=` of base64 in a cookie. */
const decodeCookie = (value: string): string =>
  value.replace(/%3d/gi, '=').replace(/%2b/gi, '+').replace(/%2f/gi, '/');
