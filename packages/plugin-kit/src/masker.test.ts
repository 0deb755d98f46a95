import { expect, test } from 'vitest';
import { createMasker } from './masker.ts';

const secret = 'p4ss/w?rd "x" ümlaut';
const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  ['raw', secret],
  ['upper case', secret.toUpperCase()],
  ['base64', base64(secret)],
  ['base64 without padding', base64(secret).replace(/=+$/, '')],
  ['base64url', Buffer.from(secret).toString('base64url')],
  ['percent-encoded', encodeURIComponent(secret)],
  ['form-encoded', new URLSearchParams({ a: secret }).toString().slice(2)],
  ['JSON-escaped', JSON.stringify(secret).slice(1, -1)],
  ['JSON in JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
  ['hex', Buffer.from(secret).toString('hex')],
])('covers a secret printed %s', (_, printed) => {
  const masked = createMasker([secret]).mask(`before ${printed} after`);
  expect(masked).not.toContain(printed);
  expect(masked).toBe(`before **masked*${'*'.repeat(printed.length - 9)} after`);
});

test.each(['a', 'ab', 'abc', 'user:'])(
  'leaves no part of a secret that is base64-encoded behind "%s"',
  (before) => {
    const encoded = base64(`${before}${secret}and more`);
    const masked = createMasker([secret]).mask(encoded);
    expect(masked).toContain('**masked*');
    expect(Buffer.from(masked.replaceAll('*', 'A'), 'base64').toString()).not.toContain('4ss/w?rd');
  },
);

test.each([
  ['abc', '***'],
  ['12345678', '********'],
  ['123456789', '**masked*'],
  ['1234567890', '**masked**'],
])('keeps the length of %s', (value, cover) => {
  expect(createMasker([value]).mask(value)).toBe(cover);
});

test('covers each line of a secret of several lines', () => {
  const masker = createMasker(['-----BEGIN KEY-----\nMIIEvQIBADAN\n-----END KEY-----']);
  expect(masker.mask('key: MIIEvQIBADAN')).toBe('key: **masked****');
});

test('covers the longer of two secrets as a whole', () => {
  expect(createMasker(['secret', 'secret-and-more']).mask('secret-and-more')).not.toContain('more');
});

test('leaves text alone when a secret is too short to hide or absent', () => {
  expect(createMasker(['a', '']).mask('a cat')).toBe('a cat');
  expect(createMasker().mask('a cat')).toBe('a cat');
});
