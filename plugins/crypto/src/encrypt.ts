import { defineTask, listOf, nameOfUri, storageUri, TaskFailed, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { belongsTo, failed, loadOpenPgp, readKeys, readPrivateKey, toWeb } from './openpgp.ts';

export const encryptFile = defineTask({
  type: 'crypto.openpgp.Encrypt',
  title: 'Encrypt a file with OpenPGP',
  description:
    'Encrypts a file for its recipients and signs it if `signPrivateKey` is set. The result is armored text that `gpg` reads. Memory does not grow with the file.',
  input: () =>
    z.object({
      from: storageUri().describe('The URI of the file in internal storage.'),
      key: text().describe('The armored public keys.'),
      recipients: listOf(text(), { min: 1 }).describe('Names or mail addresses of the keys to encrypt for.'),
      signPublicKey: text()
        .optional()
        .describe('Accepted for compatibility; signing needs only the private key.'),
      signPrivateKey: text().optional().describe('The armored private key to sign with.'),
      signPassphrase: text().optional().describe('The passphrase of the private key.'),
      signUser: text().optional().describe('The name or mail address that the private key must have.'),
    }),
  output: () => z.object({ uri: z.string().describe('The URI of the encrypted file.') }),
  sideEffects: true,
  examples: [
    {
      title: 'Encrypt and sign a file.',
      runs: false,
      code: `id: encrypt
namespace: company.team

inputs:
  - id: file
    type: FILE

tasks:
  - id: encrypt
    type: crypto.openpgp.Encrypt
    from: "{{ inputs.file }}"
    key: "{{ secret('PGP_PUBLIC_KEY') }}"
    recipients: [partner@example.com]
    signPrivateKey: "{{ secret('PGP_PRIVATE_KEY') }}"
    signPassphrase: "{{ secret('PGP_PASSPHRASE') }}"
    signUser: team@example.com
`,
    },
  ],
  async run(context, input) {
    for (const secret of [input.signPrivateKey, input.signPassphrase]) if (secret) context.masker.add(secret);
    const pgp = await loadOpenPgp();
    const keys = await readKeys(pgp, 'key', input.key);
    const encryptionKeys = input.recipients.map((recipient) => {
      const found = keys.find((key) => belongsTo(key, recipient));
      if (!found) throw failed(`"key" has no key of the recipient "${recipient}".`);
      return found.toPublic();
    });
    const signer =
      input.signPrivateKey === undefined
        ? undefined
        : await readPrivateKey(pgp, 'signPrivateKey', input.signPrivateKey, input.signPassphrase);
    if (signer && input.signUser !== undefined && !belongsTo(signer, input.signUser))
      throw failed(`"signPrivateKey" is not the key of "${input.signUser}".`);
    try {
      const message = await pgp.createMessage({ binary: toWeb(await context.files.read(input.from)) });
      const encrypted = await pgp.encrypt({
        message,
        encryptionKeys,
        ...(signer && { signingKeys: signer }),
        config: {
          preferredSymmetricAlgorithm: pgp.enums.symmetric.aes256,
          preferredCompressionAlgorithm: pgp.enums.compression.zip,
          preferredHashAlgorithm: pgp.enums.hash.sha256,
        },
      });
      const uri = await context.files.put(
        `${nameOfUri(input.from)}.asc`,
        bytesOf(encrypted as AsyncIterable<string>),
      );
      return { uri };
    } catch (error) {
      if (error instanceof TaskFailed || context.signal.aborted) throw error;
      throw failed(
        `The file cannot be encrypted: ${error instanceof Error ? error.message : String(error)}`,
        error,
      );
    }
  },
});

async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text);
}
