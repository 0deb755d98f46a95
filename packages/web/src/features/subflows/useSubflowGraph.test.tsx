import { MantineProvider } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { flows } from '@millrace/contract';
import { flowGraph } from '@millrace/engine';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { call } from '../../api/call.ts';
import { createQueryClient } from '../../api/queryClient.ts';
import { aFlow } from '../../testing/factories.ts';
import { failure, fakeServer, reply } from '../../testing/fakeServer.ts';
import { theme } from '../../theme/theme.ts';
import { Topology } from '../topology/index.ts';
import { useSubflowGraph } from './useSubflowGraph.ts';

// Many pieces of a graph, and a machine that may be busy.

function Drawn() {
  const [open, onOpen] = useState<string>();
  const { graph, subflows } = useSubflowGraph(
    {
      queryKey: ['graph'],
      draw: (names, { signal }) =>
        call(flows.getFlowGraph, {
          params: { namespace: 'shop', id: 'nightly' },
          query: { subflows: names },
          signal,
          failures: 'handled',
        }),
    },
    { open, onOpen },
  );
  return graph && <Topology graph={graph} subflows={subflows} />;
}

it('S2-8.7 S2-9.6 subflows open in their place; one that cannot says why, and the others stay', async () => {
  const calls = (id: string) => ({ id, type: 'core.flow.Subflow', namespace: 'shop', flowId: id });
  const flow = aFlow({ tasks: [calls('first'), calls('second'), calls('gone')] });
  const inside = (id: string) => aFlow({ tasks: [{ id: `in_${id}`, type: 'core.log.Log' }] });
  const server = fakeServer(
    reply(flows.getFlowGraph, ({ query }) => {
      const uids = query.get('subflows')?.split(',') ?? [];
      if (uids.includes('root.gone')) return failure(404, { message: 'there is no flow "gone"' });
      return flowGraph(flow, { expanded: new Map(uids.map((uid) => [uid, inside(uid.slice(5))])) });
    }),
  );
  render(
    <MantineProvider theme={theme}>
      <QueryClientProvider client={createQueryClient()}>
        <Drawn />
      </QueryClientProvider>
    </MantineProvider>,
  );
  const press = async (name: string) => fireEvent.click(await screen.findByLabelText(name));
  await press('Expand the subflow first');
  await screen.findByText('in_first');
  await press('Expand the subflow second');
  await screen.findByText('in_second');
  expect(server.to(flows.getFlowGraph).map(({ query }) => query.get('subflows'))).toEqual([
    null,
    'root.first',
    'root.first,root.second',
  ]);
  const shown = vi.spyOn(notifications, 'show');
  await press('Expand the subflow gone');
  await waitFor(() => expect(shown).toHaveBeenCalledTimes(1));
  expect(shown.mock.lastCall).toMatchObject([
    { id: 'error-there is no flow "gone"', title: "Couldn't expand subflow" },
  ]);
  await screen.findByText('in_second');
  await press('Collapse the subflow first');
  await waitFor(() => expect(screen.queryByText('in_first')).toBeNull());
  expect(screen.getByText('in_second')).toBeTruthy();
});
