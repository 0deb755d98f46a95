import { describe, expect, it } from 'vitest';
import { createEncryption } from './encryption.ts';

const key = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');

describe('createEncryption (engine 7.5)', () => {
  it.each([16, 24, 32])('opens what it has sealed with a key of %i bytes', (bytes) => {
    const encryption = createEncryption(key(bytes));
    const sealed = encryption.encrypt('hüsh');
    expect(sealed).not.toBe(encryption.encrypt('hüsh'));
    expect(encryption.decrypt(sealed)).toBe('hüsh');
  });

  it('refuses wrong keys and changed values', () => {
    expect(() => createEncryption('c2hvcnQ=')).toThrow(/16, 24 or 32 bytes/);
    const sealed = createEncryption(key(32)).encrypt('x');
    expect(() => createEncryption(key(16)).decrypt(sealed)).toThrow();
    expect(() => createEncryption(key(32)).decrypt(`AAAA${sealed.slice(4)}`)).toThrow();
  });
});
