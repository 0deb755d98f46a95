import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { aServer, type TestServer } from '../testing/aServer.ts';
import { sqlite } from '../testing/databases.ts';

describe('[A7] a request that names its host in an odd way', () => {
  /** Sends raw bytes on a socket, which a client library would refuse. */
  const say = (port: number, lines: readonly string[]) =>
    new Promise<string>((resolve, reject) => {
      let answer = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
      socket.on('data', (chunk) => {
        answer += String(chunk);
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(answer.slice(9, 12)));
    });
  const get = (...headers: string[]) => ['GET /api/v1/configs HTTP/1.1', ...headers, 'Connection: close'];
  const target = (url: string, host: string) => [`GET ${url} HTTP/1.1`, `Host: ${host}`, 'Connection: close'];
  const cases: readonly (readonly [
    name: string,
    request: readonly string[],
    loopback: string,
    open: string,
  ])[] = [
    ['as it should be', get('Host: 127.0.0.1:8080'), '200', '200'],
    ['in capitals', get('Host: LOCALHOST:8080'), '200', '200'],
    ['as an address of the sixth version', get('Host: [::1]:8080'), '200', '200'],
    ['with white space around it', get('Host: \t localhost \t'), '200', '200'],
    [
      'in a request line for a proxy',
      target('http://localhost:8080/api/v1/main/configs', 'localhost'),
      '200',
      '200',
    ],
    ['another one', get('Host: evil.test'), '421', '200'],
    ['a list', get('Host: 127.0.0.1:8080, evil.test'), '400', '400'],
    ['a list without ports', get('Host: localhost,evil.test'), '400', '400'],
    ['a user', get('Host: 127.0.0.1@evil.test'), '400', '400'],
    ['a user and a port', get('Host: 127.0.0.1:8080@evil.test'), '400', '400'],
    ['a trailing dot', get('Host: localhost.'), '421', '200'],
    ['something behind the bracket', get('Host: [::1]evil.test'), '400', '400'],
    ['an open bracket', get('Host: [::1'), '400', '400'],
    ['white space inside', get('Host: localhost evil.test'), '400', '400'],
    ['a tab inside', get('Host: localhost\tevil.test'), '400', '400'],
    ['a path', get('Host: localhost/evil.test'), '400', '400'],
    ['a port that is none', get('Host: localhost:http'), '400', '400'],
    ['a port too large', get('Host: localhost:65536'), '400', '400'],
    ['two ports', get('Host: localhost:80:80'), '400', '400'],
    ['empty', get('Host:'), '421', '200'],
    ['no header', get(), '400', '400'],
    ['no header in the older protocol', ['GET /api/v1/configs HTTP/1.0'], '421', '200'],
    ['twice', get('Host: localhost', 'Host: evil.test'), '400', '400'],
    ['twice the same', get('Host: localhost', 'host: localhost'), '400', '400'],
    ['another in the request line', target('http://evil.test/api/v1/configs', 'localhost'), '421', '200'],
    [
      'a user in the request line',
      target('http://localhost@evil.test/api/v1/configs', 'localhost'),
      '400',
      '400',
    ],
    [
      'another than in the request line',
      target('http://localhost/api/v1/configs', 'evil.test'),
      '421',
      '200',
    ],
    ['beside the word of a proxy', get('Host: evil.test', 'X-Forwarded-Host: localhost'), '421', '200'],
    ['beside another word of a proxy', get('Host: localhost', 'X-Forwarded-Host: evil.test'), '200', '200'],
    ['beside the newer word of a proxy', get('Host: evil.test', 'Forwarded: host=localhost'), '421', '200'],
  ];
  const ask = async (server: TestServer) => {
    const { port } = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }));
    return Promise.all(
      cases.map(async ([name, request]) => [name, await say(Number(port), request)] as const),
    );
  };

  it('is only answered on a loopback address when it means us', async () => {
    const server = await aServer(sqlite);
    expect(await ask(server)).toEqual(cases.map(([name, , loopback]) => [name, loopback]));
  });

  it('is refused on a public address when it is no name at all', async () => {
    const server = await aServer(sqlite, {
      settings: { server: { host: '0.0.0.0', insecure: true } },
    });
    expect(await ask(server)).toEqual(cases.map(([name, , , open]) => [name, open]));
  });

  it('[A8] counts as a trusted proxy says it, which may be wrong too', async () => {
    const server = await aServer(sqlite, { settings: { server: { trustedProxies: ['127.0.0.1'] } } });
    const { port } = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }));
    const through = (word: string) => say(Number(port), get('Host: inside', `X-Forwarded-Host: ${word}`));
    expect(await through('localhost')).toBe('200');
    expect(await through('evil.test')).toBe('421');
    expect(await through('localhost, localhost@evil.test')).toBe('400');
  });
});
