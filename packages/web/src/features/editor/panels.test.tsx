import { flows, plugins } from '@millrace/contract';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { writeSetting } from '../../storage/settings.ts';
import { flowEditor } from '../../testing/doubles/FlowEditor.tsx';
import { fakeServer, reply } from '../../testing/fakeServer.ts';
import { renderAt } from '../../testing/renderAt.tsx';

beforeEach(() => {
  flowEditor.isReal = true;
});

// Large: its first load is not part of the test's time.
beforeAll(async () => void (await import('../flows/edit/FlowCreatePage.tsx')));

it('[S2-2s.8] the editor of a flow has panels as soon as the settings or its button ask for them', async () => {
  fakeServer(
    reply(flows.validateFlows, () => []),
    reply(plugins.getFlowSchema, () => ({})),
  );
  const { user } = renderAt('/flows/new');
  await screen.findByLabelText('Topology', { selector: '.react-flow' });
  expect(screen.queryByRole('region', { name: 'Code' })).toBeNull();
  act(() => writeSetting('multiPanelEditor', true));
  await screen.findByRole('region', { name: 'Code' });
  screen.getByRole('region', { name: 'Topology' });
  await user.click(screen.getByRole('button', { name: 'Documentation' }));
  await screen.findByText('Put the cursor into a task or a trigger to read about its type.');
  await user.click(screen.getByRole('button', { name: 'Standard view' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Code' })).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Panels' }));
  await screen.findByRole('tab', { name: 'Documentation' });
});
