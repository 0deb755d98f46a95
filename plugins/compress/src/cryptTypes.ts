import { choice, defineTask, integer, nameOfUri, storageUri, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { decrypt, encrypt } from './crypt/fileFormat.ts';
import { derivations } from './crypt/keys.ts';
import { withScratch } from './scratch.ts';

const shared = () => ({
  from: storageUri().describe('The URI of the file in internal storage.'),
  password: text().describe('The password; keep it in a secret.'),
  iterations: integer()
    .default(600_000)
    .describe('How many rounds PBKDF2 takes, at least 100,000; the same number to encrypt and to decrypt.'),
});

const output = () => z.object({ uri: z.string().describe('The URI of the new file.') });

export const fileEncrypt = defineTask({
  type: 'compress.FileEncrypt',
  title: 'Encrypt a file with a password',
  description:
    'Encrypts one file. By default the result can be read with `openssl enc -d -aes-256-cbc -pbkdf2 -iter 600000`. With another key derivation AES-256-GCM is used, which also proves that the file was not changed; only `FileDecrypt` reads it.',
  input: () =>
    z.object({
      ...shared(),
      keyDerivation: choice(derivations)
        .default('PBKDF2_SHA256')
        .describe('How the key is made from the password.'),
      memory: integer().default(65_536).describe('KiB of memory that `ARGON2ID` and `SCRYPT` use.'),
      parallelism: integer().default(1).describe('Lanes of `ARGON2ID` and `SCRYPT`.'),
      argon2TimeCost: integer().default(3).describe('Rounds of `ARGON2ID`.'),
    }),
  output,
  sideEffects: true,
  examples: [
    {
      title: 'Encrypt a file before it leaves the house.',
      runs: false,
      code: `id: encrypt
namespace: company.team

inputs:
  - id: file
    type: FILE

tasks:
  - id: encrypt
    type: compress.FileEncrypt
    from: "{{ inputs.file }}"
    password: "{{ secret('FILE_PASSWORD') }}"
    keyDerivation: ARGON2ID
`,
    },
  ],
  async run(context, input) {
    context.masker.add(input.password);
    const content = encrypt(await context.files.read(input.from), input.password, {
      derivation: input.keyDerivation,
      iterations: input.iterations,
      memory: input.memory,
      parallelism: input.parallelism,
      timeCost: input.argon2TimeCost,
    });
    return { uri: await context.files.put(`${nameOfUri(input.from)}.enc`, content) };
  },
});

export const fileDecrypt = defineTask({
  type: 'compress.FileDecrypt',
  title: 'Decrypt a file with a password',
  description:
    'Decrypts a file of `FileEncrypt`, or of `openssl enc -aes-256-cbc -pbkdf2` with the same `iterations`.',
  input: () => z.object(shared()),
  output,
  sideEffects: true,
  examples: [
    {
      title: 'Decrypt a file.',
      runs: false,
      code: `id: decrypt
namespace: company.team

inputs:
  - id: file
    type: FILE

tasks:
  - id: decrypt
    type: compress.FileDecrypt
    from: "{{ inputs.file }}"
    password: "{{ secret('FILE_PASSWORD') }}"
`,
    },
  ],
  run: (context, input) =>
    withScratch(context, async (scratch) => {
      context.masker.add(input.password);
      const content = decrypt(
        await context.files.read(input.from),
        input.password,
        input.iterations,
        scratch,
      );
      const name = nameOfUri(input.from).replace(/\.enc$/, '') || 'file';
      return { uri: await context.files.put(name, content) };
    }),
});
