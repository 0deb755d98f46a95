import { spawnSync } from 'node:child_process';
import { aTaskContext, runType } from '@millrace/plugin-kit/testing';
import { expect, test } from 'vitest';
import { fileDecrypt, fileEncrypt } from './cryptTypes.ts';

const text = 'secret ü 😀\n'.repeat(10_000);
const iterations = 100_000;

async function encrypt(properties: object = {}): Promise<Buffer> {
  const context = aTaskContext();
  const from = await context.files.put('file.txt', text);
  const { uri } = await runType(
    fileEncrypt,
    { from, password: 'pass word', iterations, ...properties },
    context,
  );
  return context.files.byPath.get(String(uri).replace('millrace://', '')) ?? Buffer.alloc(0);
}

async function decrypt(bytes: Buffer, properties: object = {}): Promise<string> {
  const context = aTaskContext();
  const from = await context.files.put('file.txt.enc', bytes);
  const { uri } = await runType(
    fileDecrypt,
    { from, password: 'pass word', iterations, ...properties },
    context,
  );
  return context.files.text(String(uri));
}

const openssl = (args: readonly string[], input: string | Buffer): Buffer =>
  spawnSync(
    'openssl',
    ['enc', ...args, '-aes-256-cbc', '-pbkdf2', '-iter', String(iterations), '-pass', 'pass:pass word'],
    { input },
  ).stdout;

test('openssl reads what is encrypted, and the other way round', async () => {
  expect(openssl(['-d'], await encrypt()).toString()).toBe(text);
  expect(await decrypt(openssl(['-salt'], text))).toBe(text);
});

test.each(['PBKDF2_SHA512', 'ARGON2ID', 'SCRYPT'])(
  '%s comes back, and a changed byte is noticed',
  async (keyDerivation) => {
    const bytes = await encrypt({ keyDerivation, memory: 1024, argon2TimeCost: 1 });
    expect(bytes.subarray(0, 9).toString()).toBe('KESTRAENC');
    expect(await decrypt(bytes)).toBe(text);
    for (const at of [30, 100, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await expect(decrypt(changed), String(at)).rejects.toThrow('cannot be decrypted');
    }
  },
);

test('a wrong password or file is refused', async () => {
  const bytes = await encrypt({ keyDerivation: 'PBKDF2_SHA512' });
  await expect(decrypt(bytes, { password: 'other' })).rejects.toThrow(
    'the password or "iterations" is wrong',
  );
  await expect(decrypt(Buffer.from('plain'))).rejects.toThrow('not made by FileEncrypt');
  await expect(encrypt({ iterations: 10 })).rejects.toThrow('iterations');
});

test('a header cannot ask for any amount of memory', async () => {
  const bytes = await encrypt({ keyDerivation: 'ARGON2ID', memory: 1024, argon2TimeCost: 1 });
  bytes.writeUInt32BE(0xffff_ffff, 15);
  await expect(decrypt(bytes)).rejects.toThrow('"memory" must be between');
});
