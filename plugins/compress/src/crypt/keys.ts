import { pbkdf2, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { importModule, TaskFailed } from '@millrace/plugin-kit';

export const derivations = ['PBKDF2_SHA256', 'PBKDF2_SHA512', 'ARGON2ID', 'SCRYPT'] as const;
export type Derivation = (typeof derivations)[number];

export interface KeyChoice {
  readonly derivation: Derivation;
  readonly iterations: number;
  /** In KiB. */
  readonly memory: number;
  readonly parallelism: number;
  readonly timeCost: number;
}

const derivePbkdf2 = promisify(pbkdf2);
const deriveScrypt = promisify<string, Uint8Array, number, object, Buffer>(scrypt);

/** The header of a file is untrusted, so its parameters are limited to what a server can afford. */
const limits = {
  iterations: [100_000, 10_000_000],
  memory: [1, 1024 * 1024],
  parallelism: [1, 64],
  timeCost: [1, 100],
} as const;

export function checkChoice(choice: KeyChoice): void {
  for (const name of ['iterations', 'memory', 'parallelism', 'timeCost'] as const) {
    const [least, most] = limits[name];
    if (choice[name] < least || choice[name] > most)
      throw new TaskFailed(`"${name}" must be between ${least} and ${most}, got ${choice[name]}.`, {
        retry: false,
      });
  }
}

/** Derives a key of `length` bytes from a password. */
export async function deriveKey(
  password: string,
  salt: Uint8Array,
  choice: KeyChoice,
  length: number,
): Promise<Buffer> {
  const { derivation, iterations, memory, parallelism, timeCost } = choice;
  switch (derivation) {
    case 'PBKDF2_SHA256':
    case 'PBKDF2_SHA512':
      return derivePbkdf2(password, salt, iterations, length, derivation.slice(7).toLowerCase());
    case 'SCRYPT': {
      const cost = 2 ** Math.floor(Math.log2(Math.max(2, memory)));
      const options = { N: cost, r: 8, p: parallelism, maxmem: 256 * cost * 8 + 1024 * 1024 * parallelism };
      return deriveScrypt(password, salt, length, options);
    }
    case 'ARGON2ID': {
      const { argon2id } = await importModule<typeof import('hash-wasm')>('hash-wasm');
      const key = await argon2id({
        password,
        salt,
        parallelism,
        iterations: timeCost,
        memorySize: Math.max(memory, 8 * parallelism),
        hashLength: length,
        outputType: 'binary',
      });
      return Buffer.from(key);
    }
  }
}
