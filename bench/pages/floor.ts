import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { Visitor } from './visit.ts';

const script = `document.querySelector('main').innerHTML = '<table><tbody>' +
  '<tr><td><a>row</a></td></tr>'.repeat(25) + '</tbody></table>'`;

/**
 * The load time of a page with only 25 rows, one script and no styles: the lower bound for any page on this
 * machine.
 */
export async function measureFloor(browser: Browser, turns: number): Promise<number[]> {
  const server = createServer((request, response) => {
    const isScript = request.url === '/rows.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(
      isScript
        ? script
        : '<!doctype html><link rel="icon" href="data:,"><main></main><script src="/rows.js"></script>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo; // `as`: the server listens on a port.
    const visitor = new Visitor(browser, `http://127.0.0.1:${port}`);
    const times: number[] = [];
    for (let turn = 0; turn <= turns; turn += 1)
      times.push(
        await visitor.visit('/', { selector: 'tbody a', count: 25 }, async ({ readyMs }) => readyMs),
      );
    return times.slice(1).sort((a, b) => a - b);
  } finally {
    server.close();
  }
}
