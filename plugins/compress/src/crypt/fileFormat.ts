import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { TaskFailed } from '@millrace/plugin-kit';
import type { Scratch } from '../scratch.ts';
import { checkChoice, type Derivation, derivations, deriveKey, type KeyChoice } from './keys.ts';

/**
 * Two formats. With PBKDF2_SHA256 that of `openssl enc -aes-256-cbc -pbkdf2`: "Salted__", 8 bytes of salt, AES-256-CBC.
 * Otherwise: "KESTRAENC", version 1, derivation, four numbers (iterations, memory, parallelism, time cost), 16 bytes of
 * salt, 12 of nonce, AES-256-GCM that covers this header too, and 16 bytes of tag at the end.
 */
const opensslMagic = Buffer.from('Salted__');
const ownMagic = Buffer.from('KESTRAENC');
const headerLength = ownMagic.length + 2 + 16 + 16 + 12;
const tagLength = 16;

type Content = AsyncIterable<Uint8Array>;

export async function* encrypt(
  content: Content,
  password: string,
  choice: KeyChoice,
): AsyncGenerator<Uint8Array> {
  checkChoice(choice);
  if (choice.derivation === 'PBKDF2_SHA256') {
    const salt = randomBytes(8);
    const key = await deriveKey(password, salt, choice, 48);
    const cipher = createCipheriv('aes-256-cbc', key.subarray(0, 32), key.subarray(32));
    yield Buffer.concat([opensslMagic, salt]);
    for await (const chunk of content) yield cipher.update(chunk);
    yield cipher.final();
    return;
  }
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const header = Buffer.concat([ownMagic, parameters(choice), salt, nonce]);
  const cipher = createCipheriv('aes-256-gcm', await deriveKey(password, salt, choice, 32), nonce);
  cipher.setAAD(header);
  yield header;
  for await (const chunk of content) yield cipher.update(chunk);
  yield cipher.final();
  yield cipher.getAuthTag();
}

function parameters({ derivation, iterations, memory, parallelism, timeCost }: KeyChoice): Buffer {
  const bytes = Buffer.alloc(18);
  bytes[0] = 1;
  bytes[1] = derivations.indexOf(derivation);
  for (const [index, value] of [iterations, memory, parallelism, timeCost].entries())
    bytes.writeUInt32BE(value, 2 + index * 4);
  return bytes;
}

const wrongPassword = (cause?: unknown): TaskFailed =>
  new TaskFailed(
    'The file cannot be decrypted: the password or "iterations" is wrong, or the file is damaged.',
    {
      retry: false,
      cause,
    },
  );

/** Decrypts a file; its first bytes identify the format. */
export async function* decrypt(
  content: Content,
  password: string,
  iterations: number,
  scratch: Scratch,
): AsyncGenerator<Uint8Array> {
  const { head, rest } = await split(content);
  if (head.subarray(0, 8).equals(opensslMagic)) yield* decryptOpenssl(head, rest, password, iterations);
  else if (head.subarray(0, ownMagic.length).equals(ownMagic)) {
    // The content must not be used before the tag at its end is verified.
    const path = await scratch.write(decryptOwn(head, rest, password));
    yield* createReadStream(path) as AsyncIterable<Buffer>;
  } else throw new TaskFailed('The file was not made by FileEncrypt or "openssl enc".', { retry: false });
}

async function split(content: Content): Promise<{ head: Buffer; rest: AsyncIterator<Uint8Array> }> {
  const rest = content[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < headerLength) {
    const { done, value } = await rest.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  return { head, rest };
}

async function* after(
  head: Buffer,
  length: number,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield head.subarray(length);
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function* decryptOpenssl(
  head: Buffer,
  rest: AsyncIterator<Uint8Array>,
  password: string,
  iterations: number,
): AsyncGenerator<Uint8Array> {
  const choice = { derivation: 'PBKDF2_SHA256' as const, iterations, memory: 1, parallelism: 1, timeCost: 1 };
  checkChoice(choice);
  const key = await deriveKey(password, head.subarray(8, 16), choice, 48);
  const decipher = createDecipheriv('aes-256-cbc', key.subarray(0, 32), key.subarray(32));
  for await (const chunk of after(head, 16, rest)) yield decipher.update(chunk);
  try {
    yield decipher.final();
  } catch (error) {
    throw wrongPassword(error);
  }
}

async function* decryptOwn(
  head: Buffer,
  rest: AsyncIterator<Uint8Array>,
  password: string,
): AsyncGenerator<Uint8Array> {
  if (head.length < headerLength) throw wrongPassword();
  const header = head.subarray(0, headerLength);
  const choice = readParameters(header.subarray(ownMagic.length));
  const salt = header.subarray(-28, -12);
  const decipher = createDecipheriv(
    'aes-256-gcm',
    await deriveKey(password, salt, choice, 32),
    header.subarray(-12),
  );
  decipher.setAAD(header);
  let pending = Buffer.alloc(0);
  for await (const chunk of after(head, headerLength, rest)) {
    pending = Buffer.concat([pending, chunk]);
    if (pending.length <= tagLength) continue;
    yield decipher.update(pending.subarray(0, -tagLength));
    pending = pending.subarray(-tagLength);
  }
  try {
    decipher.setAuthTag(pending);
    yield decipher.final();
  } catch (error) {
    throw wrongPassword(error);
  }
}

function readParameters(bytes: Buffer): KeyChoice {
  const derivation: Derivation | undefined = derivations[bytes[1] ?? -1];
  if (bytes[0] !== 1 || !derivation)
    throw new TaskFailed('The version of the file is unknown.', { retry: false });
  const [iterations = 0, memory = 0, parallelism = 0, timeCost = 0] = [2, 6, 10, 14].map((at) =>
    bytes.readUInt32BE(at),
  );
  const choice = { derivation, iterations, memory, parallelism, timeCost };
  checkChoice(choice);
  return choice;
}
