import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { temporaryFolder } from '@millrace/store/suite';
import { expect, it, onTestFinished } from 'vitest';
import { aTerminal } from '../../testing/aTerminal.ts';

const flow = (id: string, ...types: string[]) =>
  `id: ${id}\nnamespace: a\ninputs: [{id: i, type: STRING}]\ntasks:\n${types.map((type, index) => `  - {id: t${index}, type: ${type}}`).join('\n')}\n`;

it('lists the types of a folder of flows that are not known, with the nearest ones', async () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  writeFileSync(join(folder.path, 'a.yml'), flow('a', 'io.kestra.plugin.core.log.Lgo', 'core.log.Log'));
  writeFileSync(
    join(folder.path, 'b.yml'),
    flow('b', 'core.log.Lgo', 'acme.wholly.Different', 'core.log.Lgo'),
  );
  const { out, code } = await aTerminal()('plugins', 'list', '--missing', folder.path, '-o', 'json');
  expect(JSON.parse(out)).toEqual([
    { type: 'core.log.Lgo', uses: 3, flows: 2, nearest: 'core.log.Log' },
    { type: 'acme.wholly.Different', uses: 1, flows: 1 },
  ]);
  expect(code).toBe(1);
  writeFileSync(join(folder.path, 'b.yml'), flow('b', 'core.log.Log'));
  // The task itself reads the types of its generators.
  const generator = 'type: datagen.generators.StringValueGenerator, value: a';
  const generate = `{id: g, type: datagen.core.Generate, generator: {${generator}}}`;
  writeFileSync(join(folder.path, 'a.yml'), `${flow('a', 'core.log.Log')}  - ${generate}\n`);
  expect(await aTerminal()('plugins', 'list', '--missing', folder.path)).toEqual({
    code: 0,
    out: 'Every type of 2 flows is known.\n',
    err: '',
  });
});

it('names files that are no YAML', async () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  writeFileSync(join(folder.path, 'a.yml'), flow('a', 'core.log.Log'));
  writeFileSync(join(folder.path, 'broken.yml'), 'id: [broken\n');
  const { out, err, code } = await aTerminal()('plugins', 'list', '--missing', folder.path);
  expect(out).toBe('Every type of one flow is known.\n');
  expect(err).toContain(`${join(folder.path, 'broken.yml')} is left out, because it is not valid YAML: `);
  expect(code).toBe(1);
});

it('lists those of a running Kestra, page by page, with or without tenants', async () => {
  const asked: string[] = [];
  const kestra = createServer((request, response) => {
    asked.push(`${request.headers.authorization} ${request.url}`);
    const url = new URL(request.url ?? '', 'http://localhost');
    if (url.pathname !== '/api/v1/flows/search') return response.writeHead(404).end();
    const flows = Array.from({ length: 130 }, (_, index) => ({
      id: `f${index}`,
      tasks: [{ type: 'x.y.Zed' }],
    }));
    const page = Number(url.searchParams.get('page'));
    response.end(JSON.stringify({ results: flows.slice((page - 1) * 100, page * 100), total: flows.length }));
  });
  await new Promise<void>((resolve) => kestra.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void kestra.close());
  const url = `http://127.0.0.1:${(kestra.address() as AddressInfo).port}`;
  const { out } = await aTerminal()('plugins', 'list', '--url', url, '--user', 'a:b');
  expect(out).toMatch(/^TYPE +USES +FLOWS +NEAREST\nx\.y\.Zed +130 +130/);
  expect(asked).toEqual([
    expect.stringMatching(/^Basic YTpi .*\/main\/flows\/search\?page=1/),
    expect.stringMatching(/\/api\/v1\/flows\/search\?page=1/),
    expect.stringMatching(/\/api\/v1\/flows\/search\?page=2/),
  ]);
  kestra.closeAllConnections();
});
