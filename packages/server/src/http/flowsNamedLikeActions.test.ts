import { describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { anId, sharedServer } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';

const actions = [
  'restart',
  'replay',
  'replay-with-inputs',
  'change-status',
  'state',
  'pause',
  'resume',
  'resume-from-breakpoint',
  'unqueue',
  'force-run',
  'labels',
  'eval',
];

const inputs = 'inputs:\n  - { id: who, type: STRING, defaults: me }\n';

function aForm(who: string) {
  const boundary = 'the-boundary';
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: `--${boundary}\r\ncontent-disposition: form-data; name="who"\r\n\r\n${who}\r\n--${boundary}--\r\n`,
  };
}

describe.each(databases)('flows named like actions on $name', (database) => {
  const shared = sharedServer(database);

  it.each(actions)('"%s" is checked and started at the plain path', async (id) => {
    const server = shared();
    const namespace = `company.${anId().toLowerCase()}`;
    await server.saveFlow(aFlow(id, inputs).replace('company.team', namespace));
    const path = `/executions/${namespace}/${id}`;
    const checked = await server.call('POST', `${path}/validate`, aForm('you'));
    expect(checked).toMatchObject({ status: 200, body: { id, namespace } });
    const started = await server.call('POST', `${path}?wait=true`, aForm('you'));
    expect(started).toMatchObject({ status: 200, body: { flowId: id, namespace, inputs: { who: 'you' } } });
    const plain = await server.call('POST', `/main${path}`);
    expect(plain).toMatchObject({ status: 200, body: { flowId: id, inputs: { who: 'me' } } });
  });

  it('do not take calls away from executions', async () => {
    const server = shared();
    await server.saveFlow(aFlow('labels'));
    const { body } = await server.call('POST', '/executions/company.team/labels?wait=true');
    const labels = [{ key: 'a', value: 'b' }];
    const changed = await server.call('POST', `/executions/${body.id}/labels`, { payload: labels });
    expect(changed).toMatchObject({ status: 200, body: { id: body.id } });
    expect((await server.call('POST', '/executions/other.team/labels', { payload: labels })).status).toBe(
      404,
    );
  });
});
