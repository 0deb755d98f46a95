/**
 * The protocol between the server and its spawn helper, on one socket. A frame is its length, its kind, the
 * number of the process, and a payload: bytes of a stream, or JSON.
 *
 * Plain JavaScript like the helper itself, which starts without a compiler in development, tests and
 * production.
 */

/** @typedef {{ kind: number, id: number, payload: Buffer }} Frame */

export const frameKinds = /** @type {const} */ ({
  // From the server.
  spawn: 1,
  taken: 2,
  kill: 3,
  // From the helper.
  stdout: 10,
  stderr: 11,
  ended: 12,
});

const headBytes = 4 + 1 + 4;

/**
 * @param {number} kind
 * @param {number} id
 * @param {Uint8Array} payload
 * @returns {Buffer[]} head and payload, to be written one after the other without copying
 */
export function toFrame(kind, id, payload) {
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUInt32BE(payload.length, 0);
  head.writeUInt8(kind, 4);
  head.writeUInt32BE(id, 5);
  return [head, Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength)];
}

/**
 * @param {number} kind
 * @param {number} id
 * @param {unknown} value
 */
export const toJsonFrame = (kind, id, value) => toFrame(kind, id, Buffer.from(JSON.stringify(value)));

/**
 * Splits the received chunks into frames, independent of chunk boundaries.
 *
 * @param {(frame: Frame) => void} onFrame
 * @returns {(chunk: Buffer) => void}
 */
export function createFrameReader(onFrame) {
  /** @type {Buffer[]} */
  let waiting = [];
  let waitingBytes = 0;
  let wantedBytes = headBytes;

  return (chunk) => {
    waiting.push(chunk);
    waitingBytes += chunk.length;
    while (waitingBytes >= wantedBytes) {
      const all =
        waiting.length === 1 ? /** @type {Buffer} */ (waiting[0]) : Buffer.concat(waiting, waitingBytes);
      const length = all.readUInt32BE(0);
      wantedBytes = headBytes + length;
      waiting = [all];
      if (all.length < wantedBytes) break;
      const rest = all.subarray(wantedBytes);
      onFrame({
        kind: all.readUInt8(4),
        id: all.readUInt32BE(5),
        payload: all.subarray(headBytes, wantedBytes),
      });
      waiting = rest.length > 0 ? [rest] : [];
      waitingBytes = rest.length;
      wantedBytes = headBytes;
    }
  };
}
