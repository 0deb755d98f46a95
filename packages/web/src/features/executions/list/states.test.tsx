import { executions, flows, stateTypes } from '@millrace/contract';
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import texts from '../../../i18n/en.json' with { type: 'json' };
import { anExecution } from '../../../testing/factories.ts';
import { fakeServer, reply } from '../../../testing/fakeServer.ts';
import { renderAt } from '../../../testing/renderAt.tsx';

it('S2-4.1 shows every state as a pill with its name, its color and its shape', async () => {
  const rows = stateTypes.map((state) => anExecution({ id: `is-${state}`, state }));
  fakeServer(
    reply(flows.listNamespaces, () => []),
    reply(executions.searchExecutions, () => ({ results: rows, total: rows.length })),
  );
  renderAt('/executions');
  const table = within(await screen.findByRole('table'));
  for (const state of stateTypes) {
    const name = texts.state[state];
    const [pill] = await table.findAllByText(name, { selector: `[data-state="${state}"]` });
    expect(pill?.style.getPropertyValue('--state-text')).toBe(`var(--mr-state-${state.toLowerCase()}-text)`);
    expect(pill?.querySelector('svg')?.childElementCount).toBeGreaterThan(0);
  }
});
