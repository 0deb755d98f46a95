import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { startRealServer } from './realServer.ts';

const echo = `require('node:http').createServer((_, response) => response.end('here'))
  .listen(Number(process.argv[1]), '127.0.0.1', () => console.log('listening'));`;

test('starts a program, waits until it accepts connections, and stops it', async () => {
  const server = await startRealServer({
    program: process.execPath,
    args: ({ port }) => ['-e', echo, String(port)],
  });
  expect(await (await fetch(`http://127.0.0.1:${server.port}`)).text()).toBe('here');
  await expect.poll(() => server.output()).toContain('listening');
  await server.stop();
  await expect(fetch(`http://127.0.0.1:${server.port}`)).rejects.toThrow();
  expect(existsSync(server.folder)).toBe(false);
});

test('says what the program printed when it ends instead of starting', async () => {
  const starting = startRealServer({
    program: process.execPath,
    args: () => ['-e', 'console.error("bad configuration"); process.exit(3)'],
  });
  await expect(starting).rejects.toThrow('bad configuration');
});

test('says so when there is no such program', async () => {
  await expect(startRealServer({ program: 'no-such-program', args: () => [] })).rejects.toThrow('ENOENT');
});
