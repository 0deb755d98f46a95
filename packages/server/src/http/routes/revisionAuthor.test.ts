import { expect, it } from 'vitest';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, sharedServer } from '../../testing/aServer.ts';
import { sqlite } from '../../testing/databases.ts';

const auth = { username: 'ada', password: 'secret-1' };
const shared = sharedServer(sqlite, { settings: { auth } });

it('records the signed-in user as the author of a revision, also of the one that deletes the flow', async () => {
  const id = anId();
  const headers = {
    authorization: `Basic ${Buffer.from('ada:secret-1').toString('base64')}`,
    'content-type': 'application/x-yaml',
  };
  const call = (method: 'POST' | 'DELETE' | 'GET', path: string, payload?: string) =>
    shared().call(method, path, { headers, ...(payload !== undefined && { payload }) });
  await call('POST', '/flows', aFlow(id));
  await call('DELETE', `/flows/company.team/${id}`);
  const { body } = await call('GET', `/flows/company.team/${id}/revisions`);
  expect(body).toMatchObject([{ author: 'ada' }, { author: 'ada', deleted: true }]);
});
