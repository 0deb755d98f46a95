import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';

/**
 * SQLite reads its write-ahead log up to the first frame with a wrong checksum and silently ignores the rest,
 * because an interrupted commit looks the same. This reader distinguishes the two. Committed frames are lost
 * when a commit frame of the same generation follows the unreadable one, or when the index of the log
 * (`-shm`, written only after a commit is on disk) counts more frames than can be read.
 */
export interface WalDamage {
  /** The number of committed frames, and of those that are unreadable. */
  readonly frames: number;
  readonly unreadableFrames: number;
  readonly unreadableBytes: number;
  /** True when the frames could also be one commit that a power failure interrupted before it was acknowledged. */
  readonly mayBeUnfinished: boolean;
}

const headerBytes = 32;
const frameHeaderBytes = 24;
/** The page size of new databases, for a log whose own header cannot be read. */
const usualPageBytes = 8_192;

/** Returns undefined when no committed frame is missing. Only for a database that no process has open. */
export function findWalDamage(database: string): WalDamage | undefined {
  const index = readIndex(`${database}-shm`);
  const log = openLog(`${database}-wal`);
  if (!log) return damageOf({ frames: index?.frames ?? 0, readable: 0, copied: index?.copied });
  try {
    const { header, bytes } = log;
    if (!header) {
      const frames = Math.floor((bytes - headerBytes) / (frameHeaderBytes + usualPageBytes));
      return damageOf({ frames: index?.frames ?? frames, readable: 0, copied: index?.copied });
    }
    const { committed: readable, commitsBeyond, lastCommitBeyond } = readFrames(log, header);
    const own = index?.salt.equals(header.salt) ? index : undefined;
    const frames = Math.max(own?.frames ?? 0, lastCommitBeyond);
    const mayBeUnfinished = commitsBeyond <= 1 && (own?.frames ?? 0) <= readable;
    return damageOf({ frames, readable, copied: own?.copied, pageBytes: header.pageBytes, mayBeUnfinished });
  } finally {
    closeSync(log.fd);
  }
}

/** Frames already copied into the database file do not count as damage. */
function damageOf(found: {
  readonly frames: number;
  readonly readable: number;
  readonly copied: number | undefined;
  readonly pageBytes?: number;
  readonly mayBeUnfinished?: boolean;
}): WalDamage | undefined {
  const { frames, readable, copied = 0, pageBytes = usualPageBytes, mayBeUnfinished = false } = found;
  if (frames <= Math.max(readable, copied)) return undefined;
  const unreadableFrames = frames - readable;
  const unreadableBytes = unreadableFrames * (frameHeaderBytes + pageBytes);
  return { frames, unreadableFrames, unreadableBytes, mayBeUnfinished };
}

interface Log {
  readonly fd: number;
  readonly bytes: number;
  /** Undefined when it cannot be read. */
  readonly header?: Header;
}

interface Header {
  readonly pageBytes: number;
  readonly salt: Buffer;
  readonly isBigEndian: boolean;
  readonly checksum: Checksum;
}

type Checksum = readonly [number, number];

function openLog(file: string): Log | undefined {
  let fd: number;
  try {
    fd = openSync(file, 'r');
  } catch {
    return undefined;
  }
  const bytes = fstatSync(fd).size;
  if (bytes > headerBytes) {
    const header = readHeader(readAt(fd, 0, Buffer.alloc(headerBytes)));
    return { fd, bytes, ...(header ? { header } : {}) };
  }
  closeSync(fd);
  return undefined;
}

function readHeader(bytes: Buffer): Header | undefined {
  const magic = bytes.readUInt32BE(0);
  const pageBytes = bytes.readUInt32BE(8);
  const isPageSize = pageBytes >= 512 && pageBytes <= 65_536 && (pageBytes & (pageBytes - 1)) === 0;
  if ((magic & ~1) >>> 0 !== 0x377f0682 || !isPageSize) return undefined;
  const isBigEndian = (magic & 1) === 1;
  const checksum = addChecksum([0, 0], bytes.subarray(0, 24), isBigEndian);
  if (!isChecksum(bytes, 24, checksum)) return undefined;
  return { pageBytes, salt: bytes.subarray(16, 24), isBigEndian, checksum };
}

interface Frames {
  /** Frames up to the last commit that can be read. */
  readonly committed: number;
  /** Commit frames of the same generation behind the first unreadable frame, and the number of frames up to the last. */
  readonly commitsBeyond: number;
  readonly lastCommitBeyond: number;
}

function readFrames({ fd, bytes }: Log, header: Header): Frames {
  const { pageBytes, salt, isBigEndian } = header;
  const frameBytes = frameHeaderBytes + pageBytes;
  const buffer = Buffer.allocUnsafe(frameBytes);
  const count = Math.floor((bytes - headerBytes) / frameBytes);
  let [committed, commitsBeyond, lastCommitBeyond] = [0, 0, 0];
  let checksum: Checksum | undefined = header.checksum;
  for (let frame = 1; frame <= count; frame++) {
    const at = headerBytes + (frame - 1) * frameBytes;
    // Behind the first unreadable frame only the headers matter.
    readAt(fd, at, checksum ? buffer : buffer.subarray(0, frameHeaderBytes));
    const isOfGeneration = buffer.subarray(8, 16).equals(salt);
    const isCommit = buffer.readUInt32BE(4) !== 0;
    if (checksum) {
      const next = addChecksum(
        addChecksum(checksum, buffer.subarray(0, 8), isBigEndian),
        buffer.subarray(frameHeaderBytes),
        isBigEndian,
      );
      checksum = isOfGeneration && isChecksum(buffer, 16, next) ? next : undefined;
      if (checksum && isCommit) committed = frame;
    }
    if (!checksum && isOfGeneration && isCommit) {
      commitsBeyond++;
      lastCommitBeyond = frame;
    }
  }
  return { committed, commitsBeyond, lastCommitBeyond };
}

function addChecksum(start: Checksum, bytes: Buffer, isBigEndian: boolean): Checksum {
  let [first, second] = start;
  for (let at = 0; at < bytes.length; at += 8) {
    const one = isBigEndian ? bytes.readInt32BE(at) : bytes.readInt32LE(at);
    const two = isBigEndian ? bytes.readInt32BE(at + 4) : bytes.readInt32LE(at + 4);
    first = (first + one + second) | 0;
    second = (second + two + first) | 0;
  }
  return [first, second];
}

const isChecksum = (bytes: Buffer, at: number, [first, second]: Checksum): boolean =>
  bytes.readInt32BE(at) === first && bytes.readInt32BE(at + 4) === second;

function readAt(fd: number, position: number, buffer: Buffer): Buffer {
  readSync(fd, buffer, 0, buffer.length, position);
  return buffer;
}

interface Index {
  readonly salt: Buffer;
  /** Frames of the log that are committed, and how many of them are in the database file already. */
  readonly frames: number;
  readonly copied: number;
}

const indexHeaderBytes = 48;

/**
 * Reads the index left by a process that did not close the database; it has the byte order of this machine.
 */
function readIndex(file: string): Index | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return undefined;
  }
  if (bytes.length < 2 * indexHeaderBytes + 4) return undefined;
  // Both copies of its header are equal unless a process was killed while writing them.
  const header = bytes.subarray(0, indexHeaderBytes);
  const isWhole = header.equals(bytes.subarray(indexHeaderBytes, 2 * indexHeaderBytes)) && header[12] === 1;
  if (!isWhole) return undefined;
  const numbers = new DataView(bytes.buffer, bytes.byteOffset);
  return {
    salt: header.subarray(32, 40),
    frames: numbers.getUint32(16, isLittleEndian),
    copied: numbers.getUint32(2 * indexHeaderBytes, isLittleEndian),
  };
}

const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
