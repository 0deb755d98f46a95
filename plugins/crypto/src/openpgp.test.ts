import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aTaskContext, runType } from '@millrace/plugin-kit/testing';
import { generateKey } from 'openpgp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decryptFile } from './decrypt.ts';
import { encryptFile } from './encrypt.ts';

let home: string;
let ada: { privateKey: string; publicKey: string };
let bob: { privateKey: string; publicKey: string };

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'mrpgp-'));
  ada = await generateKey({ userIDs: [{ name: 'Ada', email: 'ada@example.com' }], passphrase: 'locked' });
  bob = await generateKey({ userIDs: [{ name: 'Bob', email: 'bob@example.com' }] });
});
afterAll(() => {
  spawnSync('gpgconf', ['--homedir', home, '--kill', 'all']);
  rmSync(home, { recursive: true, force: true });
});

const text = 'secret ü 😀\n'.repeat(2_000);

async function encrypt(properties: object = {}): Promise<Buffer> {
  const context = aTaskContext();
  const from = await context.files.put('file.txt', text);
  const given = { from, key: ada.publicKey, recipients: ['ada@example.com'], ...properties };
  const { uri } = await runType(encryptFile, given, context);
  return context.files.byPath.get(String(uri).replace('millrace://', '')) ?? Buffer.alloc(0);
}

async function decrypt(bytes: Buffer, properties: object = {}): Promise<string> {
  const context = aTaskContext();
  const from = await context.files.put('file.txt.asc', bytes);
  const given = { from, privateKey: ada.privateKey, privateKeyPassphrase: 'locked', ...properties };
  const { uri } = await runType(decryptFile, given, context);
  return context.files.text(String(uri));
}

const signed = () => ({ signPrivateKey: bob.privateKey, signUser: 'bob@example.com' });

test('a file is encrypted and decrypted, and the signature of the right signer is required', async () => {
  const bytes = await encrypt(signed());
  expect(bytes.toString()).toContain('-----BEGIN PGP MESSAGE-----');
  expect(await decrypt(bytes)).toBe(text);
  const required = { signUsersKey: [bob.publicKey], requiredSignerUsers: ['bob@example.com'] };
  expect(await decrypt(bytes, required)).toBe(text);
  await expect(decrypt(await encrypt(), required)).rejects.toThrow('no valid signature of bob@example.com');
  await expect(decrypt(bytes, { ...required, signUsersKey: [ada.publicKey] })).rejects.toThrow(
    'no valid signature',
  );
});

test('gpg reads what is encrypted, and what gpg encrypts is decrypted', async () => {
  const gpg = (args: readonly string[], input?: string | Buffer) =>
    spawnSync('gpg', ['--homedir', home, '--batch', '--trust-model', 'always', '--quiet', ...args], {
      ...(input !== undefined && { input }),
    });
  writeFileSync(join(home, 'bob.asc'), bob.privateKey);
  writeFileSync(join(home, 'ada.asc'), ada.publicKey);
  gpg(['--import', join(home, 'bob.asc'), join(home, 'ada.asc')]);
  const forBob = await encrypt({ key: bob.publicKey, recipients: ['Bob'] });
  expect(gpg(['--decrypt'], forBob).stdout.toString()).toBe(text);
  for (const armor of [['--armor'], []]) {
    const bytes = gpg(
      [...armor, '--encrypt', '--sign', '--local-user', 'bob@example.com', '--recipient', 'ada@example.com'],
      text,
    ).stdout;
    expect(await decrypt(bytes, { signUsersKey: [bob.publicKey], requiredSignerUsers: ['Bob'] })).toBe(text);
  }
});

test('says what is wrong with keys, passphrases and files', async () => {
  await expect(encrypt({ recipients: ['eve@example.com'] })).rejects.toThrow(
    'no key of the recipient "eve@example.com"',
  );
  await expect(encrypt({ key: 'nonsense' })).rejects.toThrow('"key" is not an armored OpenPGP key');
  await expect(encrypt({ ...signed(), signUser: 'ada' })).rejects.toThrow('is not the key of "ada"');
  const bytes = await encrypt();
  await expect(decrypt(bytes, { privateKeyPassphrase: 'wrong' })).rejects.toThrow('the passphrase is wrong');
  await expect(decrypt(bytes, { privateKey: bob.privateKey })).rejects.toThrow(
    'The file cannot be decrypted',
  );
  await expect(decrypt(Buffer.from('plain text'))).rejects.toThrow('The file cannot be decrypted');
});

test('a file that was changed is refused and not stored', async () => {
  const bytes = await encrypt();
  const at = Math.floor(bytes.length / 2);
  const changed = Buffer.from(bytes);
  changed[at] = changed[at] === 0x41 ? 0x42 : 0x41;
  await expect(decrypt(changed)).rejects.toThrow('The file cannot be decrypted');
});
