import { flows, flowTests, kv, namespaceFiles, namespaces } from '@millrace/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';
import { languageOf } from './files/FileEditor.tsx';

// The page is large: its first load is not part of a test's time.
beforeAll(async () => void (await import('./NamespaceListPage.tsx')));

const file = (fileName: string, type: 'File' | 'Directory' = 'File') => ({
  fileName,
  type,
  size: 1,
  lastModifiedTime: 0,
  creationTime: 0,
});
const serve = (...routes: Parameters<typeof fakeServer>) =>
  fakeServer(
    reply(flows.listNamespaces, () => ['shop.orders']),
    reply(namespaces.searchNamespaces, () => ({
      results: ['shop.orders', 'system'].map((id) => ({ id, deleted: false, disabled: true })),
      total: 2,
    })),
    reply(namespaceFiles.listNamespaceFolder, ({ query }) =>
      query.get('path') === '/' ? [file('main.py'), file('sql', 'Directory')] : [file('load.sql')],
    ),
    ...routes,
  );

it('S1-2.1.25 S2-2.24 shows the namespaces as trees that lead to their pages', async () => {
  serve();
  renderAt('/namespaces');
  const link = await screen.findByRole('link', { name: 'orders' });
  expect(link.getAttribute('href')).toBe('/namespaces/edit/shop.orders');
  expect(within(screen.getByRole('region', { name: 'system' })).getByText('System')).toBeTruthy();
});

it('files that cannot be listed say why and can be asked for again', async () => {
  let isBroken = true;
  serve(
    reply(namespaceFiles.listNamespaceFolder, () =>
      isBroken ? failure(422, { message: 'The storage does not answer.' }) : [file('main.py')],
    ),
  );
  const { user } = renderAt('/namespaces/edit/shop.orders/files');
  const explorer = within(await screen.findByRole('main'));
  await explorer.findByText('The storage does not answer.');
  isBroken = false;
  await user.click(explorer.getByRole('button', { name: 'Try again' }));
  await explorer.findByRole('treeitem', { name: 'main.py' });
});

it.each(['edit', 'variables', 'plugin-defaults', 'history', 'audit-logs'])(
  'S2-2.28 S1-2.1.26 the tab %s says that it needs the other edition',
  async (tab) => {
    serve();
    renderAt(`/namespaces/edit/shop.orders/${tab}`);
    await screen.findByText(/This feature requires Enterprise Edition/);
  },
);

it('S2-1.3 S2-2.24 the secrets of a namespace are names only', async () => {
  serve(reply(namespaces.listSecrets, () => ({ readOnly: true, results: [{ key: 'TOKEN' }], total: 1 })));
  renderAt('/namespaces/edit/shop.orders/secrets');
  await screen.findByText('TOKEN');
  await screen.findByText("{{ secret('TOKEN') }}");
});

it('S2-1.3 its key-value entries are those of the namespace', async () => {
  const server = serve(reply(kv.searchKv, () => ({ results: [], total: 0 })));
  renderAt('/namespaces/edit/shop.orders/kv');
  await screen.findByText('No key-value entries yet');
  expect(server.to(kv.searchKv)[0]?.query.get('namespace')).toBe('shop.orders');
});

describe('files', () => {
  it('S2-1.3 S2-2.8 S2-4f.12 opens a file in a tab, marks it while it is not saved, and saves it', async () => {
    const server = serve(
      reply(namespaceFiles.readNamespaceFile, () => new Response('print(1)')),
      reply(namespaceFiles.writeNamespaceFile, () => undefined),
    );
    const { user, href } = renderAt('/namespaces/edit/shop.orders/files');
    await user.click(await screen.findByRole('treeitem', { name: 'sql' }));
    await screen.findByRole('treeitem', { name: 'load.sql' });
    await user.click(screen.getByRole('treeitem', { name: 'main.py' }));
    const text = await screen.findByLabelText('/main.py');
    expect(text).toHaveProperty('value', 'print(1)');
    expect(href()).toBe('/namespaces/edit/shop.orders/files?file=%2Fmain.py');
    const save = screen.getByRole('button', { name: 'Save' });
    expect(save.hasAttribute('disabled')).toBe(true);
    await user.type(text, '0');
    await user.click(save);
    await screen.findByText('main.py is saved');
    expect(server.to(namespaceFiles.writeNamespaceFile)[0]?.query.get('path')).toBe('/main.py');
    await waitFor(() => expect(save.hasAttribute('disabled')).toBe(true));
  });

  describe('that are not saved', () => {
    const path = '/namespaces/edit/shop.orders/files?file=%2Fmain.py';
    const open = (saved: string) => {
      const server = serve(
        reply(namespaceFiles.readNamespaceFile, () => new Response(saved)),
        reply(namespaceFiles.writeNamespaceFile, () => undefined),
      );
      return { server, ...renderAt(path) };
    };
    const leaveUnsaved = async (typed: string) => {
      const view = open('print(1)');
      await view.user.type(await screen.findByLabelText('/main.py'), typed);
      window.dispatchEvent(new Event('pagehide'));
      view.unmount();
    };

    it('are restored after the tab was closed, and saving them ends the draft', async () => {
      await leaveUnsaved('0');
      const { user, server } = open('print(1)');
      await screen.findByText(/Your unsaved changes were restored/);
      expect(screen.getByLabelText('/main.py')).toHaveProperty('value', 'print(1)0');
      await user.click(screen.getByRole('button', { name: 'Save' }));
      await screen.findByText('main.py is saved');
      expect(server.to(namespaceFiles.writeNamespaceFile)).toHaveLength(1);
      await waitFor(() => expect(screen.queryByText(/Your unsaved changes were restored/)).toBeNull());
      expect(Object.keys(localStorage).filter((key) => key.startsWith('draft:file'))).toEqual([]);
    });

    it('say so when the file was changed meanwhile, and can be discarded', async () => {
      await leaveUnsaved('0');
      const { user } = open('print(2)');
      await screen.findByText(/The file was changed since you edited it/);
      await user.click(screen.getByRole('button', { name: 'Discard' }));
      await waitFor(() => expect(screen.getByLabelText('/main.py')).toHaveProperty('value', 'print(2)'));
      expect(Object.keys(localStorage).filter((key) => key.startsWith('draft:file'))).toEqual([]);
    });

    it('of another tab stay its own: neither typing nor saving here changes them', async () => {
      const other = 'draft:file::shop.orders:other:/main.py';
      const draft = { text: 'print(1)9', base: 'print(1)', at: '2026-01-01T00:00:00.000Z', tab: 'other' };
      localStorage.setItem(other, JSON.stringify(draft));
      const { user, server } = open('print(1)');
      expect(await screen.findByLabelText('/main.py')).toHaveProperty('value', 'print(1)9');
      // The other tab still holds its text, so it stores the draft again.
      localStorage.setItem(other, JSON.stringify(draft));
      await user.type(screen.getByLabelText('/main.py'), '0');
      window.dispatchEvent(new Event('pagehide'));
      const stored = () =>
        Object.keys(localStorage)
          .filter((key) => key.startsWith('draft:file'))
          .map((key) => (JSON.parse(localStorage.getItem(key) ?? '') as typeof draft).text)
          .sort();
      expect(stored()).toEqual(['print(1)9', 'print(1)90']);
      await user.click(screen.getByRole('button', { name: 'Save' }));
      await screen.findByText('main.py is saved');
      expect(server.to(namespaceFiles.writeNamespaceFile)).toHaveLength(1);
      expect(stored()).toEqual(['print(1)9']);
    });

    it('are stored again when another tab takes them over', async () => {
      const { user } = open('print(1)');
      await user.type(await screen.findByLabelText('/main.py'), '0');
      window.dispatchEvent(new Event('pagehide'));
      const [key = ''] = Object.keys(localStorage).filter((one) => one.startsWith('draft:file'));
      localStorage.removeItem(key);
      window.dispatchEvent(new StorageEvent('storage', { key, newValue: null }));
      expect(JSON.parse(localStorage.getItem(key) ?? '{}')).toMatchObject({ text: 'print(1)0' });
    });

    it('of earlier versions are restored', async () => {
      const draft = { text: 'print(1)7', base: 'print(1)', at: '2026-01-01T00:00:00.000Z' };
      localStorage.setItem('draft:file::shop.orders:/main.py', JSON.stringify(draft));
      open('print(1)');
      expect(await screen.findByLabelText('/main.py')).toHaveProperty('value', 'print(1)7');
      await waitFor(() => expect(localStorage.getItem('draft:file::shop.orders:/main.py')).toBeNull());
    });

    it('are dropped when the file has their text already', async () => {
      await leaveUnsaved('0');
      open('print(1)0');
      expect(await screen.findByLabelText('/main.py')).toHaveProperty('value', 'print(1)0');
      await waitFor(() =>
        expect(Object.keys(localStorage).filter((key) => key.startsWith('draft:file'))).toEqual([]),
      );
      expect(screen.queryByText(/Your unsaved changes were restored/)).toBeNull();
    });
  });

  it.each([
    ['/a/data.json', 'json'],
    ['/main.py', 'python'],
    ['/q.SQL', 'sql'],
    ['/run.sh', 'shell'],
    ['/README.md', 'markdown'],
    ['/flow.yml', 'yaml'],
    ['/app.ts', 'typescript'],
    ['/app.js', 'javascript'],
    ['/rows.csv', 'csv'],
    ['/Dockerfile', 'dockerfile'],
    ['/v1.2/LICENSE', 'plaintext'],
  ])('%s opens as %s', (path, language) => {
    expect(languageOf(path)).toBe(language);
  });

  it('S2-5.8 refuses a name that is taken', async () => {
    const server = serve();
    const { user } = renderAt('/namespaces/edit/shop.orders/files');
    await user.click(await screen.findByRole('button', { name: 'New file' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New file' }));
    await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'main.py');
    await dialog.findByText('A file with this name already exists');
    expect(dialog.getByRole('button', { name: 'Save' }).hasAttribute('disabled')).toBe(true);
    expect(server.to(namespaceFiles.writeNamespaceFile)).toHaveLength(0);
  });

  it('S2-4f.14 the explorer takes between 20 and 40 percent', async () => {
    serve();
    const { user } = renderAt('/namespaces/edit/shop.orders/files');
    const divider = await screen.findByRole('separator');
    divider.focus();
    for (let step = 0; step < 12; step += 1) await user.keyboard('{ArrowRight}');
    expect(divider.getAttribute('aria-valuenow')).toBe('40');
    for (let step = 0; step < 14; step += 1) await user.keyboard('{ArrowLeft}');
    expect(divider.getAttribute('aria-valuenow')).toBe('20');
  });
});

it('A-6.7 the tests of all flows of a namespace run with one button', async () => {
  const result = {
    id: 'orders_test',
    namespace: 'shop.orders',
    flowId: 'orders',
    flowRevision: 1,
    state: 'FAILED' as const,
    startDate: '2026-01-01T00:00:00Z',
    endDate: '2026-01-01T00:00:01Z',
    results: [],
    coverage: [],
  };
  const server = serve(
    reply(flows.searchFlows, () => ({ results: [], total: 0 })),
    reply(flowTests.runTestSuites, () => ({ results: [result], total: 1 })),
  );
  const { user } = renderAt('/namespaces/edit/shop.orders/flows');
  await user.click(await screen.findByText('Run all tests'));
  await screen.findByText('0 of 1 test suites passed');
  expect(server.to(flowTests.runTestSuites)[0]?.body).toBe('{"namespace":"shop.orders"}');
});
