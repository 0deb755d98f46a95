import { blueprints, flows, namespaceFiles, plugins } from '@millrace/contract';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { flowEditor } from '../../testing/doubles/FlowEditor.tsx';
import { aFlowWithSource } from '../../testing/factories.ts';
import { failure, fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';

beforeEach(() => {
  flowEditor.isReal = true;
});

// Whole pages in a browser that is none take their time on a busy machine.

// Large: their first load is not part of a test's time.
beforeAll(async () => {
  await Promise.all([
    import('../flows/page/FlowPage.tsx'),
    import('../flows/edit/FlowEditTab.tsx'),
    import('../namespaces/files/FilesView.tsx'),
    import('../blueprints/BlueprintBrowser.tsx'),
  ]);
}, 180_000);

const saved = {
  ...aFlowWithSource(),
  source:
    'id: nightly\nnamespace: shop.orders\ntasks:\n  - id: load\n    type: core.log.Log\n    message: hi\n',
};
const aFile = (fileName: string) =>
  ({ fileName, type: 'File', size: 1, lastModifiedTime: 0, creationTime: 0 }) as const;
const aBlueprint = {
  id: 'hello',
  title: 'Say hello',
  tags: ['start'],
  includedTasks: [],
  publishedAt: '2026-01-01',
};

async function openEditor(query = '', label = 'Flow source in YAML') {
  const server = fakeServer(
    reply(flows.getFlow, () => saved),
    reply(flows.listNamespaces, () => ['shop.orders']),
    reply(flows.validateFlows, () => []),
    reply(plugins.getFlowSchema, () => ({})),
    reply(flows.updateFlow, ({ body }) => ({ ...saved, revision: 2, source: String(body) })),
    reply(flows.listRevisions, () => []),
    reply(namespaceFiles.listNamespaceFolder, () => [aFile('main.py'), aFile('load.SQL')]),
    reply(namespaceFiles.readNamespaceFile, () => new Response('1')),
    reply(namespaceFiles.writeNamespaceFile, () => undefined),
    reply(blueprints.listBlueprints, () => ({ results: [aBlueprint], total: 1 })),
    reply(blueprints.getBlueprint, () => ({
      ...aBlueprint,
      kind: 'FLOW' as const,
      source: 'id: hello',
      description: 'Says it.',
    })),
    reply(plugins.getPluginDocumentation, ({ params }) =>
      params.cls === 'core.log.Lo'
        ? failure(404)
        : { markdown: '', schema: { properties: { title: `About ${params.cls}` } } },
    ),
  );
  const view = renderAt(`/flows/edit/shop.orders/nightly/edit${query}`);
  await screen.findByLabelText(label);
  return { server, ...view };
}
const graph = { selector: '.react-flow' };
const press = (name: string) => fireEvent.click(screen.getByLabelText(name));
const type = (name: string, value: string) =>
  fireEvent.change(screen.getByLabelText(name), { target: { value } });

it('S2-2.1 S2-2.3 S2-2.4 S2-2.5 S2-2.6 the text stands beside the graph, the documentation or blueprints, as chosen last', async () => {
  const { unmount } = await openEditor();
  expect(screen.getByLabelText('Flow source in YAML')).toHaveProperty('value', saved.source);
  expect(screen.getByLabelText('Topology', graph)).toBeTruthy();
  press('Documentation');
  await screen.findByText('Put the cursor into a task or a trigger to read about its type.');
  expect(screen.queryByLabelText('Topology', graph)).toBeNull();
  press('Flow source in YAML');
  await screen.findByText('About core.log.Log');
  press('Blueprints');
  fireEvent.click(await screen.findByText('Say hello'));
  await screen.findByText('Says it.');
  // Highlighted or not: the highlighter may have loaded already.
  await waitFor(() => expect(document.querySelector('pre code')?.textContent).toContain('id: hello'));
  press('Back to all blueprints');
  await screen.findByText('Say hello');
  unmount();
  await openEditor();
  await screen.findByText('Say hello');
  press('Nothing');
  await waitFor(() => expect(screen.queryByText('Say hello')).toBeNull());
  press('Topology');
  await screen.findByLabelText('Topology', graph);
});

it('the documentation of a type stays while another line has an error, also of a task that is new', async () => {
  await openEditor();
  press('Documentation');
  type(
    'Flow source in YAML',
    saved.source.replace('shop.orders', '[shop').replace('log.Log', 'debug.Return'),
  );
  press('Flow source in YAML');
  await screen.findByText('About core.debug.Return');
});

it('a link to the form of a task shows the documentation of its type', async () => {
  await openEditor('?editor=NO_CODE&side=documentation&element=tasks%5B0%5D', 'Where you are in the flow');
  await screen.findByText('About core.log.Log');
});

it('a type that does not exist, as while it is typed, is said in the documentation and leaves the page', async () => {
  await openEditor();
  press('Documentation');
  type('Flow source in YAML', saved.source.replace('log.Log', 'log.Lo'));
  press('Flow source in YAML');
  await screen.findByText('There is no documentation of the type “core.log.Lo”.');
  expect(screen.queryByText('Page not found')).toBeNull();
});

it('S2-3.17 S2-4f.6 S2-4f.13 the flow and its files are tabs, marked while they are not saved, and saved together', async () => {
  const { server } = await openEditor();
  fireEvent.click(screen.getByText('Files'));
  fireEvent.click(await screen.findByText('main.py'));
  await screen.findByLabelText('/main.py');
  fireEvent.click(screen.getByText('load.SQL'));
  await screen.findByLabelText('/load.SQL');
  const tabs = within(screen.getByRole('navigation', { name: 'Open files' }));
  expect(tabs.getAllByRole('button').map((tab) => tab.textContent || tab.ariaLabel)).toEqual([
    'Flow',
    'main.py',
    'Close main.py',
    'load.SQL',
    'Close load.SQL',
  ]);
  const dirty = () => [...document.querySelectorAll('[data-dirty]')].map((tab) => tab.textContent);
  expect(dirty()).toEqual([]);
  type('/load.SQL', 'select 1');
  fireEvent.click(tabs.getByText('main.py'));
  await screen.findByLabelText('/main.py');
  type('/main.py', 'print(1)');
  fireEvent.click(tabs.getByText('Flow'));
  await screen.findByLabelText('Flow source in YAML');
  type('Flow source in YAML', `${saved.source}# mine\n`);
  expect(dirty()).toEqual(['Flow', 'main.py', 'load.SQL']);
  fireEvent.click(screen.getByText('Save'));
  await screen.findByText('Saved nightly, revision 2');
  const written = server.to(namespaceFiles.writeNamespaceFile).map(({ query }) => query.get('path'));
  expect(written.toSorted()).toEqual(['/load.SQL', '/main.py']);
  expect(server.to(flows.updateFlow)).toHaveLength(1);
  await waitFor(() => expect(dirty()).toEqual([]));
});

it('S2-9.2 the explorer stays between 20 and 40 percent, however far its edge is dragged', async () => {
  await openEditor();
  fireEvent.click(screen.getByText('Files'));
  await screen.findByText('main.py');
  const [edge] = screen.getAllByRole('separator');
  if (!edge?.parentElement) throw new Error('The explorer has no edge.');
  edge.hasPointerCapture = () => true;
  edge.parentElement.getBoundingClientRect = () => new DOMRect(0, 0, 1_000, 500);
  for (const [clientX, percent] of [
    [900, '40'],
    [50, '20'],
    [300, '30'],
  ] as const) {
    fireEvent.pointerMove(edge, { clientX });
    expect(edge.getAttribute('aria-valuenow')).toBe(percent);
  }
});
