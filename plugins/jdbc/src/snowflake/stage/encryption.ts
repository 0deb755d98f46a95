import { type Cipher, createCipheriv, createDecipheriv, type Decipher, randomBytes } from 'node:crypto';
import type { EncryptionMaterial } from './stageInfo.ts';

/**
 * Files on a stage are encrypted by the client: each with its own key (AES-CBC), and that key with the master
 * key of the stage (AES-ECB). Key and initialization vector are stored in the metadata of the file.
 */
export interface FileKey {
  /** The file's key, encrypted with the master key, in Base64. */
  readonly key: string;
  readonly iv: string;
  /** A JSON text that names the master key. */
  readonly description: string;
}

const blockBytes = 16;

export function encryptFile(material: EncryptionMaterial): { cipher: Cipher; fileKey: FileKey } {
  const master = Buffer.from(material.queryStageMasterKey, 'base64');
  const bits = master.length * 8;
  const key = randomBytes(master.length);
  const iv = randomBytes(blockBytes);
  const wrap = createCipheriv(`aes-${bits}-ecb`, master, null);
  const description = { queryId: material.queryId, smkId: material.smkId, keySize: String(bits) };
  return {
    cipher: createCipheriv(`aes-${bits}-cbc`, key, iv),
    fileKey: {
      key: Buffer.concat([wrap.update(key), wrap.final()]).toString('base64'),
      iv: iv.toString('base64'),
      description: JSON.stringify(description),
    },
  };
}

export function decryptFile(
  material: EncryptionMaterial,
  { key, iv }: Omit<FileKey, 'description'>,
): Decipher {
  const master = Buffer.from(material.queryStageMasterKey, 'base64');
  const unwrap = createDecipheriv(`aes-${master.length * 8}-ecb`, master, null);
  const fileKey = Buffer.concat([unwrap.update(Buffer.from(key, 'base64')), unwrap.final()]);
  return createDecipheriv(`aes-${fileKey.length * 8}-cbc`, fileKey, Buffer.from(iv, 'base64'));
}
