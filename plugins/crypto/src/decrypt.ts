import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  defineTask,
  listOf,
  messageOf,
  nameOfUri,
  storageUri,
  TaskFailed,
  text,
  writeInside,
} from '@millrace/plugin-kit';
import type { Key } from 'openpgp';
import { z } from 'zod';
import { belongsTo, failed, loadOpenPgp, type OpenPgp, readKeys, readPrivateKey, toWeb } from './openpgp.ts';

export const decryptFile = defineTask({
  type: 'crypto.openpgp.Decrypt',
  title: 'Decrypt a file with OpenPGP',
  description:
    'Decrypts an armored or binary file and verifies its signatures if `requiredSignerUsers` is set. The result is stored only after the whole file passed its integrity check.',
  input: () =>
    z.object({
      from: storageUri().describe('The URI of the file in internal storage.'),
      privateKey: text().describe('The armored private key.'),
      privateKeyPassphrase: text().optional().describe('The passphrase of the private key.'),
      signUsersKey: listOf(text()).optional().describe('The armored public keys of the signers.'),
      requiredSignerUsers: listOf(text())
        .optional()
        .describe('Names or mail addresses of all required signers. Their keys are in `signUsersKey`.'),
    }),
  output: () => z.object({ uri: z.string().describe('The URI of the decrypted file.') }),
  sideEffects: true,
  examples: [
    {
      title: 'Decrypt a file and require the signature of a partner.',
      runs: false,
      code: `id: decrypt
namespace: company.team

inputs:
  - id: file
    type: FILE

tasks:
  - id: decrypt
    type: crypto.openpgp.Decrypt
    from: "{{ inputs.file }}"
    privateKey: "{{ secret('PGP_PRIVATE_KEY') }}"
    privateKeyPassphrase: "{{ secret('PGP_PASSPHRASE') }}"
    signUsersKey:
      - "{{ secret('PARTNER_PUBLIC_KEY') }}"
    requiredSignerUsers: [partner@example.com]
`,
    },
  ],
  async run(context, input) {
    for (const secret of [input.privateKey, input.privateKeyPassphrase])
      if (secret) context.masker.add(secret);
    const pgp = await loadOpenPgp();
    const decryptionKeys = await readPrivateKey(
      pgp,
      'privateKey',
      input.privateKey,
      input.privateKeyPassphrase,
    );
    const signers = (
      await Promise.all((input.signUsersKey ?? []).map((key) => readKeys(pgp, 'signUsersKey', key)))
    ).flat();
    const folder = await mkdtemp(join(await context.workingDirectory(), '.millrace-openpgp-'));
    try {
      const { content, isArmored } = await peek(await context.files.read(input.from));
      const message = isArmored
        ? await pgp.readMessage({ armoredMessage: textsOf(content) as never })
        : await pgp.readMessage({ binaryMessage: toWeb(content) as never });
      const { data, signatures } = await pgp.decrypt({
        message,
        decryptionKeys,
        verificationKeys: signers.map((key) => key.toPublic()),
        format: 'binary',
        config: { allowUnauthenticatedStream: true },
      });
      const path = await writeInside(folder, 'plain', data as unknown as AsyncIterable<Uint8Array>);
      await checkSigners(signatures, signers, input.requiredSignerUsers ?? []);
      const name = nameOfUri(input.from).replace(/\.(asc|gpg|pgp)$/, '') || 'file';
      return { uri: await context.files.put(name, createReadStream(path) as AsyncIterable<Buffer>) };
    } catch (error) {
      if (error instanceof TaskFailed || context.signal.aborted) throw error;
      throw failed(`The file cannot be decrypted: ${messageOf(error)}`, error);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
});

async function checkSigners(
  signatures: Awaited<ReturnType<OpenPgp['decrypt']>>['signatures'],
  signers: readonly Key[],
  required: readonly string[],
): Promise<void> {
  const valid: Key[] = [];
  for (const { keyID, verified } of signatures) {
    const signer = signers.find((key) => key.getKeys().some((inner) => inner.getKeyID().equals(keyID)));
    if (signer && (await verified.catch(() => false))) valid.push(signer);
  }
  const missing = required.filter((user) => !valid.some((key) => belongsTo(key, user)));
  if (missing.length > 0) throw failed(`The file has no valid signature of ${missing.join(', ')}.`);
}

/** Armored files start with a line of dashes. */
async function peek(
  content: AsyncIterable<Uint8Array>,
): Promise<{ content: AsyncGenerator<Uint8Array>; isArmored: boolean }> {
  const rest = content[Symbol.asyncIterator]();
  const { done, value } = await rest.next();
  const first = done ? Buffer.alloc(0) : Buffer.from(value);
  async function* all(): AsyncGenerator<Uint8Array> {
    yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  }
  return { content: all(), isArmored: first.toString('latin1').trimStart().startsWith('-----') };
}

/** Armor is plain ASCII, so a chunk never cuts a character in two. */
function textsOf(content: AsyncGenerator<Uint8Array>): ReadableStream<string> {
  return new ReadableStream<string>({
    async pull(controller) {
      const { done, value } = await content.next();
      if (done) controller.close();
      else controller.enqueue(Buffer.from(value).toString('latin1'));
    },
  });
}
