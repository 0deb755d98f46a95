import { describe, expect, it } from 'vitest';
import { blobKey, blobPart } from './blobKey.ts';
import { fromBlobUri, toBlobUri } from './blobUri.ts';

const hostile = [
  '..',
  '.',
  '../outside',
  'a/../../outside',
  'a/./b',
  '%2e%2e/outside',
  '%2E%2e',
  '..%2foutside',
  'a%2f..%2f..%2foutside',
  '..\\outside',
  'a\\b',
  'a%5c..%5cb',
  '\\\\server\\share',
  'C:',
  'C:/windows',
  'c:outside',
  'a\0b',
  'a%00b',
  'a\nb',
  'nul',
  'a/CON.txt',
  'com1',
  'ends.',
  'ends ',
  'x'.repeat(4_096),
  'y/'.repeat(2_048),
  'a\ud800',
  'report\u202egpj.exe',
  '\u2066a\u2069',
];

describe('[A21] the way into internal storage', () => {
  it.each(hostile)('refuses the path %j', (path) => {
    expect(() => blobKey(path)).toThrow(expect.objectContaining({ code: 'illegal-argument' }));
    expect(() => fromBlobUri(`millrace:///${path}`)).toThrow(
      expect.objectContaining({ code: 'illegal-argument' }),
    );
  });

  it.each(['file:///etc/passwd', '/etc/passwd', 'https://x/y', 'millrace://host/x', 'millrace:///', ''])(
    'refuses %j as an address',
    (uri) => {
      expect(() => fromBlobUri(uri)).toThrow(expect.objectContaining({ code: 'illegal-argument' }));
    },
  );

  it.each([
    ['/a//b/', 'a/b'],
    ['_flowsFile/x', '_flowsFile/x'],
    ['.hidden/..x', '.hidden/..x'],
  ])('reads %s as %s', (path, key) => {
    expect(blobKey(path)).toBe(key);
    expect(fromBlobUri(toBlobUri(key))).toBe(key);
    expect(fromBlobUri(`kestra:///${path}`)).toBe(key);
  });

  it.each([...hostile, '', 'ü'.repeat(500), 'ordinary name.txt'])('makes one safe name of %j', (name) => {
    const part = blobPart(name);
    expect(blobKey(`folder/${part}`)).toBe(`folder/${part}`);
    expect(fromBlobUri(toBlobUri(`folder/${part}`))).toBe(`folder/${part}`);
  });
});
