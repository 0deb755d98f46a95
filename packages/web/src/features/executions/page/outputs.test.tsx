import { executions, outputs } from '@millrace/contract';
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { anExecution, aTaskRun } from '../../../testing/factories.ts';
import { fakeServer, reply } from '../../../testing/fakeServer.ts';
import { renderAt } from '../../../testing/renderAt.tsx';

it('a hit among task runs that the page does not hold shows the outputs of that task run', async () => {
  const taskRunList = [aTaskRun({ outputs: { rows: 48210 } })];
  fakeServer(
    reply(executions.getExecution, () => anExecution({ taskRunList, taskRunTotal: 25_000 })),
    reply(outputs.searchOutputs, () => ({
      results: [{ taskRunId: 'far', taskId: 'price', value: '24999', path: 'order', text: 'order-24999' }],
      total: 1,
    })),
    reply(outputs.getTaskRunOutputs, () => ({ order: 'order-24999', city: 'Lyon' })),
  );
  renderAt('/executions/shop.orders/nightly/exec1/outputs?find=order-2&taskRunId=far');
  await screen.findByText('Lyon');
  expect(screen.queryByText('48210')).toBeNull();
  expect((await screen.findByText('price')).closest('button')?.getAttribute('aria-pressed')).toBe('true');
});
