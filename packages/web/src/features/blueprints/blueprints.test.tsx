import { blueprints } from '@millrace/contract';
import { screen, waitFor } from '@testing-library/react';
import { beforeAll, expect, it } from 'vitest';
import { fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';

// The page is large: its first load is not part of a test's time.
beforeAll(async () => void (await import('./BlueprintListPage.tsx')));

const item = {
  id: 'hello',
  title: 'Say hello every morning',
  includedTasks: ['core.log.Log'],
  tags: ['start'],
  publishedAt: '2026-03-01T00:00:00Z',
};
const serve = () =>
  fakeServer(
    reply(blueprints.listBlueprints, () => ({ results: [item], total: 1 })),
    reply(blueprints.listBlueprintTags, () => [
      { id: 'start', name: 'Getting started', publishedAt: item.publishedAt },
    ]),
    reply(blueprints.getBlueprint, () => ({
      ...item,
      description: 'It says **hello**.',
      source: 'id: hello\n',
      kind: 'FLOW' as const,
    })),
  );

it('S1-2.1.17 S2-2.23 S2-3.14 S2-7o.22 shows cards, chosen by tag and text, each with the way to use it', async () => {
  const server = serve();
  const { user, href } = renderAt('/blueprints/flow/community?q=hello');
  const use = await screen.findByRole('link', { name: 'Use' });
  expect(use.getAttribute('href')).toBe('/flows/new?blueprintId=hello&blueprintSource=community');
  await user.click(await screen.findByRole('link', { name: 'Getting started' }));
  await waitFor(() => expect(href()).toBe('/blueprints/flow/community?q=hello&selectedTag=start'));
  await waitFor(() => expect(server.to(blueprints.listBlueprints).at(-1)?.query.get('tags')).toBe('start'));
});

it('S1-2.1.18 S2-7o.22 shows one with its source and what it is made of', async () => {
  serve();
  renderAt('/blueprints/flow/community/hello');
  await screen.findByRole('heading', { name: 'Say hello every morning' });
  expect(await screen.findByLabelText('Source')).toHaveProperty('value', 'id: hello\n');
  await screen.findByRole('link', { name: 'core.log.Log' });
});

it('S2-2.27 custom ones need the other edition', async () => {
  serve();
  renderAt('/blueprints/flow/custom');
  await screen.findByText(/This feature requires Enterprise Edition/);
});
