/**
 * The user-based security of SNMPv3 (RFC 3414, RFC 3826, RFC 7860): keys are made of passwords and bound to the engine of
 * the side that keeps the time, which is the sender of a trap and the receiver of an inform.
 */
import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import { TaskFailed } from '@millrace/plugin-kit';
import { integer, octets, sequence } from './ber.ts';

export interface User {
  readonly username: string;
  readonly authProtocol?: string | undefined;
  readonly authPassword?: string | undefined;
  readonly privProtocol?: string | undefined;
  readonly privPassword?: string | undefined;
}

export interface Engine {
  readonly id: Buffer;
  readonly boots: number;
  /** In seconds. */
  readonly time: number;
}

const hashes: Readonly<Record<string, { readonly name: string; readonly macBytes: number }>> = {
  MD5: { name: 'md5', macBytes: 12 },
  SHA: { name: 'sha1', macBytes: 12 },
  SHA1: { name: 'sha1', macBytes: 12 },
  SHA224: { name: 'sha224', macBytes: 16 },
  SHA256: { name: 'sha256', macBytes: 24 },
  SHA384: { name: 'sha384', macBytes: 32 },
  SHA512: { name: 'sha512', macBytes: 48 },
};
const ciphers: Readonly<Record<string, { readonly name: string; readonly keyBytes: number }>> = {
  DES: { name: 'des', keyBytes: 16 },
  AES: { name: 'aes-128-cfb', keyBytes: 16 },
  AES128: { name: 'aes-128-cfb', keyBytes: 16 },
  AES192: { name: 'aes-192-cfb', keyBytes: 24 },
  AES256: { name: 'aes-256-cfb', keyBytes: 32 },
};

const find = <T>(known: Readonly<Record<string, T>>, name: string, property: string): T => {
  const found = known[name.toUpperCase().replace(/[-_]/g, '')];
  if (found) return found;
  throw new TaskFailed(`"${property}" must be one of ${Object.keys(known).join(', ')}, got "${name}".`, {
    retry: false,
  });
};

/** The protocols of a user: privacy needs authentication. */
function protocolsOf(user: User) {
  const { authProtocol, authPassword, privProtocol, privPassword } = user;
  if (privPassword !== undefined && authPassword === undefined)
    throw new TaskFailed('"privPassword" needs "authPassword".', { retry: false });
  const hash = authPassword === undefined ? undefined : find(hashes, authProtocol ?? 'SHA', 'authProtocol');
  const cipher =
    privPassword === undefined ? undefined : find(ciphers, privProtocol ?? 'AES', 'privProtocol');
  return { hash, cipher };
}

/** A password becomes a key by hashing a megabyte of its repetitions, and is then bound to the engine. */
function localKey(hash: string, password: string, engineId: Buffer): Buffer {
  if (password.length < 8)
    throw new TaskFailed('A password of SNMPv3 must have at least 8 characters.', { retry: false });
  const bytes = Buffer.from(password);
  const repeated = Buffer.alloc(1_048_576, bytes);
  const key = createHash(hash).update(repeated).digest();
  return createHash(hash).update(key).update(engineId).update(key).digest();
}

/** A message of SNMPv3 around a protocol data unit. */
export function secureMessage(
  pdu: Buffer,
  user: User,
  engine: Engine,
  { id, isReportable }: { readonly id: number; readonly isReportable: boolean },
): Buffer {
  const { hash, cipher } = protocolsOf(user);
  const scoped = sequence(octets(engine.id), octets(''), pdu);
  const key = (password = '') => localKey(hash?.name ?? '', password, engine.id);
  const sealed = cipher && encryptScoped(scoped, cipher, key(user.privPassword), engine);
  const flags = (hash ? 1 : 0) | (cipher ? 2 : 0) | (isReportable ? 4 : 0);
  const build = (mac: Buffer) =>
    sequence(
      integer(3),
      sequence(integer(id), integer(65_507), octets(Buffer.from([flags])), integer(3)),
      octets(
        sequence(
          octets(engine.id),
          integer(engine.boots),
          integer(engine.time),
          octets(user.username),
          octets(mac),
          octets(sealed?.salt ?? ''),
        ),
      ),
      sealed ? octets(sealed.content) : scoped,
    );
  if (!hash) return build(Buffer.alloc(0));
  // The code is computed over the message with zeros in its place.
  const blank = build(Buffer.alloc(hash.macBytes));
  const mac = createHmac(hash.name, key(user.authPassword)).update(blank).digest();
  return build(mac.subarray(0, hash.macBytes));
}

function encryptScoped(
  scoped: Buffer,
  { name, keyBytes }: { readonly name: string; readonly keyBytes: number },
  key: Buffer,
  { boots, time }: Engine,
) {
  if (key.length < keyBytes)
    throw new TaskFailed('AES192 and AES256 need an "authProtocol" with as long a key, such as SHA256.', {
      retry: false,
    });
  const salt = randomBytes(8);
  if (name === 'des') {
    salt.writeUInt32BE(boots, 0);
    const des = key.subarray(0, 8);
    const vector = Buffer.from(key.subarray(8, 16).map((byte, index) => byte ^ (salt[index] ?? 0)));
    // Three times the same key is single DES, which OpenSSL 3 has no longer.
    const cipher = createCipheriv('des-ede3-cbc', Buffer.concat([des, des, des]), vector);
    cipher.setAutoPadding(false);
    const padded = Buffer.concat([scoped, Buffer.alloc((8 - (scoped.length % 8)) % 8)]);
    return { salt, content: Buffer.concat([cipher.update(padded), cipher.final()]) };
  }
  const counters = Buffer.alloc(8);
  counters.writeUInt32BE(boots, 0);
  counters.writeUInt32BE(time, 4);
  const cipher = createCipheriv(name, key.subarray(0, keyBytes), Buffer.concat([counters, salt]));
  return { salt, content: Buffer.concat([cipher.update(scoped), cipher.final()]) };
}
