import { plugins } from '@millrace/contract';
import { screen, waitFor } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import { createQueryClient } from '../../api/queryClient.ts';
import { fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';
import { pluginDocumentQuery } from './queries.ts';

// The page is large: its first load is not part of a test's time.
beforeAll(async () => void (await import('./PluginListPage.tsx')));

const aPlugin = (title: string, group: string, tasks: string[]): plugins.Plugin => ({
  name: group,
  title,
  description: '',
  group,
  version: '1.0.0',
  license: 'Apache-2.0',
  manifest: {},
  categories: [],
  tasks: tasks.map((cls) => ({ cls, deprecated: false })),
  triggers: [],
  conditions: [],
  controllers: [],
  storages: [],
  secrets: [],
  taskRunners: [],
  charts: [],
  dataFilters: [],
  logExporters: [],
  aliases: [],
  apps: [],
  appBlocks: [],
  additionalPlugins: [],
  guides: [],
});
const serve = () =>
  fakeServer(
    reply(plugins.listPluginGroups, () => [
      aPlugin('Core', 'core', ['core.log.Log', 'core.flow.If']),
      aPlugin('Python', 'scripts.python', ['scripts.python.Script']),
    ]),
    reply(plugins.listPluginVersions, ({ params }) => ({
      type: params.cls ?? '',
      versions: ['1.0.0', '0.9.0'],
    })),
    reply(plugins.getPluginDocumentation, () => ({
      markdown: '',
      schema: {
        properties: {
          title: 'Writes a line',
          required: ['message'],
          properties: { message: { type: 'string', description: 'What to write' } },
          $examples: [{ title: 'Hello', code: 'id: hello' }],
        },
        outputs: { properties: { count: { type: 'integer' } } },
      },
    })),
    reply(plugins.getPluginVersion, () => ({
      markdown: '',
      schema: { properties: { title: 'An older one' } },
    })),
  );

it('S1-2.1.19 S2-2.22 counts the types and finds them by name', async () => {
  serve();
  const { user, href } = renderAt('/plugins');
  const box = await screen.findByRole('searchbox', { name: 'Search among 3 types' });
  await user.type(box, 'script{Enter}');
  await waitFor(() => expect(href()).toBe('/plugins?q=script'));
  await screen.findByRole('link', { name: 'Script' });
  expect(screen.queryByRole('link', { name: 'If' })).toBeNull();
});

it('shows the families under their categories', async () => {
  fakeServer(
    reply(plugins.listPluginGroups, () => [
      { ...aPlugin('PostgreSQL', 'jdbc.postgresql', ['jdbc.postgresql.Query']), categories: ['DATABASE'] },
      { ...aPlugin('Core', 'core', ['core.log.Log']), categories: ['CORE'] },
      aPlugin('Own', 'acme', ['acme.Task']),
    ]),
  );
  const { user } = renderAt('/plugins');
  await screen.findByRole('heading', { name: 'PostgreSQL' });
  const names = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
  expect(names).toEqual(['Core', 'Databases and search', 'Other']);
  Element.prototype.scrollIntoView ??= () => {};
  await user.click(screen.getByRole('button', { name: 'Databases and search' }));
  expect(document.activeElement?.textContent).toBe('Databases and search');
});

it('S2-8.15 a type that is missing is no type to ask for', async () => {
  const server = serve();
  const asking = createQueryClient().fetchQuery(pluginDocumentQuery('', undefined));
  await expect(asking).rejects.toThrow('missing required cls');
  expect(server.requests).toEqual([]);
});

it('S1-2.1.20 documents a type with its properties, outputs and examples, in the version of the address', async () => {
  serve();
  const { router } = renderAt('/plugins/core.log.Log');
  await screen.findByRole('list', { name: 'Properties' });
  await screen.findByText('What to write');
  await screen.findByText('Required');
  await screen.findByRole('list', { name: 'Outputs' });
  await router.navigate({
    to: '/{-$tenant}/plugins/$cls/{-$version}',
    params: { cls: 'core.log.Log', version: '0.9.0' },
  });
  await screen.findByText('An older one');
});

it('[A44] names a plugin that could not be loaded, and why', async () => {
  const error = 'SyntaxError: Unexpected end of input';
  fakeServer(
    reply(plugins.listPluginGroups, () => [
      aPlugin('Core', 'core', ['core.log.Log']),
      { ...aPlugin('acme', 'acme', []), error },
    ]),
  );
  renderAt('/plugins');
  await screen.findByText('The plugin acme could not be loaded');
  await screen.findByText(error);
  await screen.findByRole('link', { name: 'Log' });
});
