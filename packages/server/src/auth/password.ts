import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** A password as it is stored. The cost travels with the hash, so that it can be raised later. */
export const HashedPassword = z.object({
  algorithm: z.literal('scrypt'),
  cost: z.number().int().min(2).max(1_048_576),
  blockSize: z.number().int().min(1).max(32),
  salt: z.string(),
  hash: z.string(),
});
export type HashedPassword = z.infer<typeof HashedPassword>;

export const defaultPasswordCost = 32_768;
const [blockSize, lengthBytes] = [8, 32];

export async function hashPassword(password: string, cost: number): Promise<HashedPassword> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, { cost, blockSize });
  return {
    algorithm: 'scrypt',
    cost,
    blockSize,
    salt: salt.toString('base64'),
    hash: hash.toString('base64'),
  };
}

export async function verifyPassword(password: string, stored: HashedPassword): Promise<boolean> {
  const expected = Buffer.from(stored.hash, 'base64');
  const given = await derive(password, Buffer.from(stored.salt, 'base64'), stored);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

function derive(
  password: string,
  salt: Buffer,
  { cost, blockSize }: { cost: number; blockSize: number },
): Promise<Buffer> {
  const options: ScryptOptions = { cost, blockSize, maxmem: 256 * cost * blockSize };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, lengthBytes, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}
