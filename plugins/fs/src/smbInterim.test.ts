import { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { dropInterimResponses } from './smbInterim.ts';

function aMessage(status: number, body: string): Buffer {
  const message = Buffer.concat([Buffer.alloc(68), Buffer.from(body)]);
  message.writeUIntBE(message.length - 4, 1, 3);
  message.writeUInt32LE(status, 12);
  return message;
}

function received(...chunks: readonly Buffer[]): string[] {
  const socket = new Socket();
  const bodies: string[] = [];
  socket.on('data', (bytes: Buffer) => bodies.push(bytes.subarray(68).toString()));
  dropInterimResponses(socket);
  for (const chunk of chunks) socket.emit('data', chunk);
  return bodies;
}

const pending = aMessage(0x103, 'wait');

it('interim responses never reach the SMB client, results do', () => {
  expect(received(pending, aMessage(0, 'one'), pending, aMessage(0xc0000034, 'missing'))).toEqual([
    'one',
    'missing',
  ]);
});

it('messages are found however the network cuts them', () => {
  const all = Buffer.concat([aMessage(0, 'one'), pending, aMessage(0, 'two')]);
  const bytes = [...all].map((byte) => Buffer.from([byte]));
  expect(received(all)).toEqual(['one', 'two']);
  expect(received(...bytes)).toEqual(['one', 'two']);
});
