import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const checksumAlgorithms = ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256'] as const;
export type ChecksumAlgorithm = (typeof checksumAlgorithms)[number];

/** An incremental checksum, in base64 like S3. */
export interface Checksum {
  update(chunk: Uint8Array): void;
  digest(): string;
}

export function createChecksum(algorithm: ChecksumAlgorithm): Checksum {
  switch (algorithm) {
    case 'SHA1':
    case 'SHA256': {
      const hash = createHash(algorithm.toLowerCase());
      return { update: (chunk) => void hash.update(chunk), digest: () => hash.digest('base64') };
    }
    case 'CRC32': {
      let crc = 0;
      return {
        update: (chunk) => {
          crc = crc32(chunk, crc);
        },
        digest: () => toBase64(crc),
      };
    }
    case 'CRC32C':
      return createCrc(0, 0x82f63b78, false);
    default:
      return createCrc(0x9a6c9329, 0xac4bc9b5, true);
  }
}

/** The request or response header of the checksum. */
export const checksumHeader = (algorithm: ChecksumAlgorithm): string =>
  `x-amz-checksum-${algorithm.toLowerCase()}`;

/** A reflected CRC of 32 or 64 bits, as two halves because numbers have no 64 bits. */
function createCrc(polyHigh: number, polyLow: number, isLong: boolean): Checksum {
  const table = Array.from({ length: 256 }, (_, index) => {
    let [high, low] = [0, index];
    for (let bit = 0; bit < 8; bit++) {
      const isOdd = (low & 1) === 1;
      low = (low >>> 1) | (high << 31);
      high >>>= 1;
      if (isOdd) {
        high ^= polyHigh;
        low ^= polyLow;
      }
    }
    return [high, low] as const;
  });
  let high = isLong ? 0xffffffff : 0;
  let low = 0xffffffff;
  return {
    update: (chunk) => {
      for (const byte of chunk) {
        const [tableHigh, tableLow] = table[(low ^ byte) & 0xff] ?? [0, 0];
        low = ((low >>> 8) | (high << 24)) ^ tableLow;
        high = (high >>> 8) ^ tableHigh;
      }
    },
    digest: () => (isLong ? toBase64(~high, ~low) : toBase64(~low)),
  };
}

function toBase64(...words: readonly number[]): string {
  const bytes = Buffer.alloc(words.length * 4);
  for (const [index, word] of words.entries()) bytes.writeUInt32BE(word >>> 0, index * 4);
  return bytes.toString('base64');
}
