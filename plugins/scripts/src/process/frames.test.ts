import { expect, test } from 'vitest';
import { createFrameReader, type Frame, toFrame } from './frames.js';

test.each([1, 2, 7, 8, 9, 10, 1000])('frames arrive whole when chopped into pieces of %i bytes', (size) => {
  const sent = [
    { kind: 10, id: 1, payload: Buffer.from('hello') },
    { kind: 11, id: 4_000_000_000, payload: Buffer.alloc(0) },
    { kind: 12, id: 2, payload: Buffer.from('{"exitCode":0}') },
  ];
  const bytes = Buffer.concat(sent.flatMap(({ kind, id, payload }) => toFrame(kind, id, payload)));
  const received: Frame[] = [];
  const read = createFrameReader((frame) => received.push({ ...frame, payload: Buffer.from(frame.payload) }));
  for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
  expect(received).toEqual(sent);
});
