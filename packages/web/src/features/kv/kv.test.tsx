import { flows, kv } from '@millrace/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';

// The page is large: its first load is not part of a test's time.
beforeAll(async () => void (await import('./KvListPage.tsx')));

const entry = (key: string, namespace = 'shop.orders') => ({
  namespace,
  key,
  version: 1,
  creationDate: '2026-03-01T00:00:00Z',
  updateDate: '2026-03-01T00:00:00Z',
});
const serve = (...routes: Parameters<typeof fakeServer>) =>
  fakeServer(
    reply(flows.listNamespaces, () => ['shop.orders', 'bank']),
    reply(kv.searchKv, () => ({ results: [entry('rate'), entry('limit', 'bank')], total: 2 })),
    reply(kv.listKv, () => [entry('rate')]),
    ...routes,
  );

describe('key-value store', () => {
  it('S1-2.1.15 S2-5.7 refuses a key that already exists, and saves another with its type and lifetime', async () => {
    const server = serve(reply(kv.putKv, () => undefined));
    const { user } = renderAt('/kv?namespace=shop.orders');
    await user.click(await screen.findByRole('button', { name: 'New key-value' }));
    const form = within(await screen.findByRole('dialog', { name: 'New key-value' }));
    const key = form.getByRole('textbox', { name: /Key/ });
    await user.type(key, 'rate');
    await form.findByText('This key already exists');
    await user.type(key, 's');
    await user.selectOptions(form.getByRole('combobox', { name: 'Type' }), 'NUMBER');
    await user.type(form.getByRole('textbox', { name: /Value/ }), '42');
    await user.type(form.getByRole('textbox', { name: 'Or after a duration' }), 'P1D');
    await user.click(form.getByRole('button', { name: 'Save' }));
    await screen.findByText('rates is saved');
    const [request] = server.to(kv.putKv);
    expect(request?.params).toEqual({ namespace: 'shop.orders', key: 'rates' });
    expect(request?.body).toBe('42');
  });

  it('S2-6.4 deletes by namespace and names those that were left out', async () => {
    const server = serve(
      reply(kv.deleteKvKeys, ({ params }) =>
        params.namespace === 'bank' ? failure(403, { message: 'Forbidden' }) : { keys: ['rate'] },
      ),
    );
    const { user } = renderAt('/kv');
    await user.click(await screen.findByRole('checkbox', { name: 'Select all rows of this page' }));
    await user.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Delete' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    await screen.findByText('1 entry deleted');
    await screen.findByText('You may not delete entries in these namespaces. They were skipped.');
    expect(server.to(kv.deleteKvKeys)).toHaveLength(2);
  });

  it('S2-6.4 deletes everything that matches, however many pages that is', async () => {
    const all = Array.from({ length: 1_200 }, (_, index) => entry(`key-${index}`));
    const server = serve(
      reply(kv.searchKv, ({ query }) => {
        const [size, page] = [Number(query.get('size') ?? 25), Number(query.get('page') ?? 1)];
        return { results: all.slice((page - 1) * size, page * size), total: all.length };
      }),
      reply(kv.deleteKvKeys, ({ body }) => JSON.parse(String(body))),
    );
    const { user } = renderAt('/kv');
    await user.click(await screen.findByRole('checkbox', { name: 'Select all rows of this page' }));
    const bar = within(screen.getByRole('toolbar'));
    await user.click(bar.getByRole('button', { name: 'Select all 1200 matches' }));
    await user.click(bar.getByRole('button', { name: 'Delete' }));
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
    await screen.findByText('1200 entries deleted');
    const asked = server.to(kv.deleteKvKeys).map(({ body }) => JSON.parse(String(body)).keys.length);
    expect(asked).toEqual([1_000, 200]);
  });

  it('opens an entry with its value', async () => {
    serve(reply(kv.getKv, () => ({ type: 'JSON', value: { a: 1 } })));
    const { user } = renderAt('/kv');
    await user.click(await screen.findByRole('button', { name: 'rate' }));
    const form = within(await screen.findByRole('dialog', { name: 'Edit rate' }));
    await waitFor(() =>
      expect(form.getByRole('textbox', { name: /Value/ })).toHaveProperty('value', '{\n  "a": 1\n}'),
    );
    expect(form.getByRole('textbox', { name: /Key/ }).hasAttribute('disabled')).toBe(true);
  });
});
