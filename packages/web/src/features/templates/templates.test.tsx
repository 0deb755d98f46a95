import { flows, templates } from '@millrace/contract';
import { screen, waitFor, within } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import { fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';

// The page is large: its first load is not part of a test's time.
beforeAll(async () => void (await import('./TemplateListPage.tsx')));

const template = {
  namespace: 'shop.orders',
  id: 'shared',
  tasks: [{ id: 'load', type: 'core.log.Log' }],
  deleted: false,
};
const serve = (...routes: Parameters<typeof fakeServer>) =>
  fakeServer(
    reply(flows.listNamespaces, () => ['shop.orders']),
    reply(templates.searchTemplates, () => ({ results: [template], total: 1 })),
    reply(templates.getTemplate, () => template),
    ...routes,
  );

it('S1-2.1.21 S2-3.13 lists templates and deletes the selected ones', async () => {
  const server = serve(reply(templates.deleteTemplatesByIds, () => ({ count: 1 })));
  const { user } = renderAt('/templates');
  await screen.findByRole('link', { name: 'shared' });
  await user.click(screen.getByRole('checkbox', { name: 'Select all rows of this page' }));
  await user.click(within(screen.getByRole('toolbar')).getByRole('button', { name: 'Delete' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
  await screen.findByText('1 template deleted');
  expect(JSON.parse(String(server.to(templates.deleteTemplatesByIds)[0]?.body))).toEqual([
    { namespace: 'shop.orders', id: 'shared' },
  ]);
});

it('S2-3.13 marks a template that cannot be read, with the reason', async () => {
  const broken = { ...template, id: 'broken', tasks: [], exception: 'tasks: a list was expected' };
  serve(reply(templates.searchTemplates, () => ({ results: [template, broken], total: 2 })));
  renderAt('/templates');
  const row = within(await screen.findByRole('row', { name: /broken/ }));
  row.getByRole('img', { name: 'tasks: a list was expected' });
  const whole = within(screen.getByRole('row', { name: /shared/ }));
  expect(whole.queryByRole('img')).toBeNull();
});

it('S1-2.1.22 a new template begins with an example and opens once it is saved', async () => {
  serve(reply(templates.createTemplate, () => template));
  const { user, href } = renderAt('/templates/new');
  const source = await screen.findByLabelText('Source of the template');
  expect(source).toHaveProperty('value', expect.stringContaining('id: my_template'));
  await user.type(source, '# mine');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(href()).toBe('/templates/edit/shop.orders/shared'));
});

it('S1-2.1.23 shows a template as text and saves what was changed', async () => {
  const server = serve(reply(templates.updateTemplate, () => template));
  const { user } = renderAt('/templates/edit/shop.orders/shared');
  const source = await screen.findByLabelText('Source of the template');
  expect(source).toHaveProperty('value', expect.stringContaining('type: core.log.Log'));
  await user.type(source, '# note');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText('shared is saved');
  expect(server.to(templates.updateTemplate)).toHaveLength(1);
});
