import { flows, namespaceFiles, namespaces } from '@millrace/contract';
import { createEvent, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import { failure, fakeServer, reply } from '../../../../testing/fakeServer.ts';
import { renderAt } from '../../../../testing/renderAt.tsx';

// The page is large: its first load is not part of a test's time.
beforeAll(async () => void (await import('../../NamespacePage.tsx')), 180_000);

const entry = (fileName: string, type: 'File' | 'Directory' = 'File') => ({
  fileName,
  type,
  size: 1,
  lastModifiedTime: 0,
  creationTime: 0,
});

/** A namespace whose files move and go as on a server. */
async function openFiles(refused = '') {
  let paths = ['/sql/one.sql', '/sql/two.sql', '/main.py', '/notes.md', '/one.sql'];
  const inside = (folder: string) => {
    const prefix = folder === '/' ? '/' : `${folder}/`;
    const below = paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
    const folders = new Set(
      below.filter((path) => path.includes('/')).map((path) => path.split('/')[0] ?? ''),
    );
    return [
      ...[...folders].map((name) => entry(name, 'Directory')),
      ...below.filter((path) => !path.includes('/')).map((name) => entry(name)),
    ];
  };
  const server = fakeServer(
    reply(namespaces.getNamespace, () => ({ id: 'shop', deleted: false })),
    reply(flows.listNamespaces, () => ['shop']),
    reply(namespaceFiles.listNamespaceFolder, ({ query }) => inside(query.get('path') ?? '/')),
    reply(namespaceFiles.searchNamespaceFiles, () => paths),
    reply(namespaceFiles.createNamespaceFolder, () => undefined),
    reply(namespaceFiles.readNamespaceFile, () => new Response('1')),
    reply(namespaceFiles.writeNamespaceFile, ({ query }) => {
      paths.push(query.get('path') ?? '');
      return undefined;
    }),
    reply(namespaceFiles.moveNamespaceFile, ({ query }) => {
      const [from = '', to = ''] = [query.get('from') ?? '', query.get('to') ?? ''];
      paths = paths.filter((path) => path !== to).map((path) => (path === from ? to : path));
      return undefined;
    }),
    reply(namespaceFiles.deleteNamespaceFile, ({ query }) => {
      if (query.get('path') === refused) return failure(403, 'Not allowed');
      paths = paths.filter((path) => path !== query.get('path'));
      return undefined;
    }),
  );
  const view = renderAt('/namespaces/edit/shop/files');
  await findRow('main.py');
  return { server, ...view };
}
/** By selectors: queries by role read the styles of the whole page for each item. */
const rows = (state = '') => [...document.querySelectorAll<HTMLElement>(`[role=treeitem]${state}`)];
const names = (state?: string) => rows(state).map((item) => item.getAttribute('aria-label'));
const row = (name: string) => {
  const found = rows().find((item) => item.getAttribute('aria-label') === name);
  if (!found) throw new Error(`There is no row ${name}.`);
  return found;
};
const findRow = (name: string) => waitFor(() => row(name));
const selected = () => names('[aria-selected=true]');
const findMenu = async () => within(await screen.findByLabelText('Actions for files'));

it('A-9.2 files are selected with keys, renamed in place, and deleted together with a truthful result', async () => {
  const { user, server } = await openFiles('/notes.md');
  await user.click(row('sql'));
  await findRow('two.sql');
  await user.keyboard('{ArrowDown}{Shift>}{ArrowDown}{/Shift}');
  expect(selected()).toEqual(['one.sql', 'two.sql']);
  await user.keyboard('{Control>}a{/Control}');
  expect(selected()).toHaveLength(6);
  // The focus came without a key, as a screen reader moves it; a name that is not changed gives it back.
  row('notes.md').focus();
  await user.keyboard('{F2}');
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('notes.md');
  await user.keyboard('{Escape}');
  expect(document.activeElement).toBe(row('notes.md'));
  await user.keyboard('{Escape}m');
  expect(selected()).toEqual(['main.py']);
  await user.keyboard('{F2}');
  await user.clear(screen.getByLabelText('Name'));
  await user.type(screen.getByLabelText('Name'), 'job.py{Enter}');
  await findRow('job.py');
  expect(server.to(namespaceFiles.moveNamespaceFile)[0]?.query.get('to')).toBe('/job.py');
  fireEvent.click(row('job.py'), { ctrlKey: false });
  fireEvent.click(row('notes.md'), { ctrlKey: true });
  row('notes.md').focus();
  await user.keyboard('{Delete}');
  await screen.findByText('Delete 2 items?');
  await user.click(screen.getByText('Delete', { selector: 'button *' }));
  await screen.findByText('1 of 2 done');
  await screen.findByText(/notes\.md: .*Not allowed/);
  await waitFor(() => expect(names()).not.toContain('job.py'));
  expect(names()).toContain('notes.md');
});

it('a name that is taken is asked about when files are dragged into a folder, and a folder is not moved into itself', async () => {
  const { user, server } = await openFiles();
  const types = ['application/x-millrace-files'];
  const dataTransfer = { types, setData: () => {}, dropEffect: '' };
  const drag = (from: string, to: string) => {
    fireEvent.dragStart(row(from), { dataTransfer });
    fireEvent.dragOver(row(to), { dataTransfer });
    fireEvent.drop(row(to), { dataTransfer });
  };
  drag('sql', 'sql');
  await screen.findByText("sql can't be moved into itself");
  for (const name of ['sql', 'main.py']) fireEvent.click(row(name), { ctrlKey: true });
  fireEvent.click(row('one.sql'), { ctrlKey: true });
  drag('one.sql', 'sql');
  await screen.findByText('Replace what has the same name?');
  await user.click(screen.getByText('Keep both'));
  await screen.findByText('2 moved');
  expect(server.to(namespaceFiles.moveNamespaceFile).map(({ query }) => query.get('to'))).toEqual([
    '/sql/main.py',
    '/sql/one-1.sql',
  ]);
  expect(selected()).toEqual(['main.py', 'one-1.sql']);
});

it('A-9.2 files of the computer are dropped into a folder, and the menu opens with a key and copies an expression', async () => {
  const { user, server } = await openFiles();
  const file = new File(['select 3'], 'three.sql');
  const dataTransfer = { types: ['Files'], items: [{ kind: 'file', getAsFile: () => file }] };
  fireEvent(row('sql'), createEvent.drop(row('sql'), { dataTransfer }));
  await waitFor(() =>
    expect(server.to(namespaceFiles.writeNamespaceFile)[0]?.query.get('path')).toBe('/sql/three.sql'),
  );
  await user.click(await findRow('three.sql'));
  await user.keyboard('{Shift>}{F10}{/Shift}');
  const menu = await findMenu();
  await user.click(menu.getByText('Copy as read() expression'));
  expect(await navigator.clipboard.readText()).toBe("{{ read('sql/three.sql') }}");
  fireEvent.contextMenu(row('sql'));
  const other = await findMenu();
  const zip = other.getByText('Download as zip archive').closest('a');
  expect(zip?.getAttribute('href')).toContain('/files/export?path=%2Fsql');
});

/** A folder as a browser hands it over: its entries come in parts, the last of which is empty. */
function folderEntry(name: string, inside: readonly FileSystemEntry[]): FileSystemEntry {
  const createReader = () => {
    const parts = inside.map((entry) => [entry]);
    return { readEntries: (give: (entries: FileSystemEntry[]) => void) => give(parts.shift() ?? []) };
  };
  return { name, isFile: false, isDirectory: true, createReader } as unknown as FileSystemEntry; // What is read of it.
}
const fileEntry = (name: string): FileSystemEntry =>
  ({ name, isFile: true, file: (give: (file: File) => void) => give(new File(['x'], name)) }) as never; // As above.

it('a folder of the computer is dropped with everything in it, also folders that are empty', async () => {
  const { server } = await openFiles();
  const reports = folderEntry('reports', [
    fileEntry('a.sql'),
    folderEntry('2026', [fileEntry('b.sql'), fileEntry('c.sql')]),
    folderEntry('drafts', []),
  ]);
  const item = { kind: 'file', getAsFile: () => null, webkitGetAsEntry: () => reports };
  const dataTransfer = { types: ['Files'], items: [item] };
  fireEvent(row('sql'), createEvent.drop(row('sql'), { dataTransfer }));
  await waitFor(() => expect(server.to(namespaceFiles.writeNamespaceFile)).toHaveLength(3));
  expect(server.to(namespaceFiles.writeNamespaceFile).map(({ query }) => query.get('path'))).toEqual([
    '/sql/reports/a.sql',
    '/sql/reports/2026/b.sql',
    '/sql/reports/2026/c.sql',
  ]);
  await waitFor(() =>
    expect(server.to(namespaceFiles.createNamespaceFolder).map(({ query }) => query.get('path'))).toEqual([
      '/sql/reports/drafts',
    ]),
  );
  await findRow('reports');
});

it('a folder opens while something is dragged over it, and takes what is dropped on a file inside', async () => {
  const { server } = await openFiles();
  const types = ['application/x-millrace-files'];
  const dataTransfer = { types, setData: () => {}, dropEffect: '' };
  fireEvent.dragStart(row('main.py'), { dataTransfer });
  fireEvent.dragOver(row('sql'), { dataTransfer });
  expect(row('sql').dataset.target).toBe('true');
  const inside = await findRow('two.sql');
  fireEvent.dragOver(inside, { dataTransfer });
  expect(row('sql').dataset.target).toBe('true');
  fireEvent.drop(inside, { dataTransfer });
  await waitFor(() =>
    expect(server.to(namespaceFiles.moveNamespaceFile)[0]?.query.get('to')).toBe('/sql/main.py'),
  );
  expect(row('sql').dataset.target).toBeUndefined();
});

it('a finger that rests on a file opens its menu, although it moves a little, and opens no file', async () => {
  const { server } = await openFiles();
  const touch = (x: number) => ({ pointerType: 'touch', clientX: x, clientY: 20 });
  fireEvent.pointerDown(row('notes.md'), touch(30));
  fireEvent.pointerMove(row('notes.md'), touch(33));
  const menu = await findMenu();
  fireEvent.pointerUp(row('notes.md'), touch(33));
  fireEvent.click(row('notes.md'));
  expect(menu.getByText('Rename')).toBeTruthy();
  expect(selected()).toEqual(['notes.md']);
  expect(server.to(namespaceFiles.readNamespaceFile)).toEqual([]);
});
