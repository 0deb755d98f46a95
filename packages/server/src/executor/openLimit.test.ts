import { expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer } from '../testing/aServer.ts';
import { sqlite } from '../testing/databases.ts';

const shared = sharedServer(sqlite, { settings: { executions: { maxOpen: 2 } } });
const paused = 'tasks:\n  - id: ask\n    type: core.flow.Pause\n';

it('a server that runs its most executions refuses another one with 429, and takes it when one has ended', async () => {
  const id = anId();
  await shared().saveFlow(aFlow(id, paused));
  const start = () => shared().call('POST', `/executions/company.team/${id}`);
  const first = await start();
  await shared().waitForState(String(first.body.id), 'PAUSED');
  expect((await start()).status).toBe(200);
  const refused = await start();
  expect([refused.status, refused.body.code]).toEqual([429, 'too-many-requests']);
  expect(refused.body.message).toContain('this server runs 2 executions');
  await shared().call('POST', `/executions/${String(first.body.id)}/resume`);
  await shared().waitForState(String(first.body.id), 'SUCCESS');
  await expect.poll(async () => (await start()).status).toBe(200);
});
