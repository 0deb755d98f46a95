import type { Socket } from 'node:net';

/** Offsets in a message of SMB 2: the length of 4 bytes comes before the header of 64. */
const lengthBytes = 4;
const statusAt = lengthBytes + 8;
const headerBytes = 64;
const statusPending = 0x103;

/**
 * Drops interim responses. For a slow request the server first responds with STATUS_PENDING and then, under
 * the same message id, with the result; the library treats the first response as the result.
 */
export function dropInterimResponses(socket: Socket): void {
  const [listener] = socket.listeners('data') as ((bytes: Buffer) => void)[];
  if (!listener) throw new Error('The SMB client reads its socket in another way than expected.');
  socket.removeAllListeners('data');
  let rest: Buffer = Buffer.alloc(0);
  socket.on('data', (bytes: Buffer) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    for (let length = messageLength(rest); length !== undefined; length = messageLength(rest)) {
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      if (!isInterim(message)) listener.call(socket, message);
    }
  });
}

/** The length of the first message, or undefined when it has not arrived completely. */
function messageLength(bytes: Buffer): number | undefined {
  if (bytes.length < lengthBytes) return undefined;
  const length = lengthBytes + bytes.readUIntBE(1, 3);
  return bytes.length < length ? undefined : length;
}

const isInterim = (message: Buffer): boolean =>
  message.length >= lengthBytes + headerBytes && message.readUInt32LE(statusAt) === statusPending;
