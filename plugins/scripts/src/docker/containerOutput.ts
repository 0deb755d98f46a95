import type { RunnerJob } from '@millrace/plugin-kit';

const headBytes = 8;

/**
 * Delivers the output of a container. Both streams arrive multiplexed in frames: stream number, three zero
 * bytes, length, bytes. Reading waits for the consumer, so backpressure reaches the container.
 */
export async function readOutput(
  stream: AsyncIterable<Uint8Array | string>,
  { onStdout, onStderr }: Pick<RunnerJob, 'onStdout' | 'onStderr'>,
): Promise<void> {
  const head = Buffer.alloc(headBytes);
  let headLength = 0;
  let left = 0;
  for await (const piece of stream) {
    const chunk = Buffer.from(piece);
    for (let at = 0; at < chunk.length; ) {
      if (left === 0) {
        const taken = chunk.copy(head, headLength, at, at + headBytes - headLength);
        headLength += taken;
        at += taken;
        if (headLength < headBytes) break;
        headLength = 0;
        left = head.readUInt32BE(4);
        continue;
      }
      const bytes = chunk.subarray(at, at + left);
      at += bytes.length;
      left -= bytes.length;
      await (head[0] === 2 ? onStderr(bytes) : onStdout(bytes));
    }
  }
}
