import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Covers SECRET inputs at rest. */
export interface Encryption {
  encrypt(text: string): string;
  decrypt(value: string): string;
}

const ivLength = 12;
const tagLength = 16;
const algorithms: Readonly<Record<number, 'aes-128-gcm' | 'aes-192-gcm' | 'aes-256-gcm'>> = {
  16: 'aes-128-gcm',
  24: 'aes-192-gcm',
  32: 'aes-256-gcm',
};

/** AES-GCM; a value is the base64 of the random start, the cipher text and its tag. The key is base64 of 16, 24 or 32 bytes. */
export function createEncryption(secretKey: string): Encryption {
  const key = Buffer.from(secretKey, 'base64');
  const algorithm = algorithms[key.length];
  if (algorithm === undefined)
    throw new Error('The encryption key must be the base64 of 16, 24 or 32 bytes.');
  return {
    encrypt: (text) => {
      const iv = randomBytes(ivLength);
      const cipher = createCipheriv(algorithm, key, iv);
      const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return sealed.toString('base64');
    },
    decrypt: (value) => {
      const sealed = Buffer.from(value, 'base64');
      const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivLength));
      decipher.setAuthTag(sealed.subarray(sealed.length - tagLength));
      const text = decipher.update(sealed.subarray(ivLength, sealed.length - tagLength));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}
