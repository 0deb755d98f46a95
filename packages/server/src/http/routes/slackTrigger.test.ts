import { createHmac } from 'node:crypto';
import { allDefinitions } from '@millrace/plugins/testing';
import { describe, expect, it } from 'vitest';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, sharedServer } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

type Body = Record<string, unknown>;

const definitions = allDefinitions.filter(({ type }) => type.startsWith('slack.'));

describe.each(databases)('the Slack trigger on $name', (database) => {
  const shared = sharedServer(database, {
    definitions,
    env: { SECRET_SIGNING: Buffer.from('signing-secret').toString('base64') },
    settings: { encryption: { secretKey: Buffer.alloc(32, 1).toString('base64') } },
  });

  const saveFlow = async () => {
    const id = anId();
    await shared().saveFlow(
      aFlow(
        id,
        `triggers:
  - id: slack
    type: io.kestra.plugin.slack.app.Trigger
    key: abc
    signingSecret: "{{ secret('SIGNING') }}"
    botToken: xoxb-123456`,
      ),
    );
    return id;
  };

  interface Sent {
    readonly secret?: string;
    readonly ageMs?: number;
    readonly type?: string;
    readonly path?: string;
  }

  const send = (id: string, body: string, sent: Sent = {}) => {
    const { secret = 'signing-secret', ageMs = 0, type = 'application/json', path = 'abc' } = sent;
    const at = String(Math.floor((Date.now() - ageMs) / 1000));
    const signature = createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex');
    return shared().call('POST', `/executions/webhook/company.team/${id}/${path}`, {
      headers: {
        'content-type': type,
        'x-slack-request-timestamp': at,
        'x-slack-signature': `v0=${signature}`,
      },
      payload: body,
    });
  };

  const executionsOf = async (id: string) =>
    (await shared().call('GET', `/executions/search?flowId=${id}`)).body.results as Body[];

  it('answers the check of the address and starts nothing', async () => {
    const id = await saveFlow();
    const { status, body } = await send(id, JSON.stringify({ type: 'url_verification', challenge: 'c3po' }));
    expect([status, body]).toEqual([200, 'c3po']);
    expect(await executionsOf(id)).toEqual([]);
  });

  it('starts one execution per event, however often it is sent, and responds with nothing', async () => {
    const id = await saveFlow();
    const event = JSON.stringify({
      type: 'event_callback',
      event_id: 'Ev1',
      event: { type: 'app_mention', text: 'hi' },
    });
    const [first] = [await send(id, event), await send(id, event)];
    expect([first?.status, first?.body]).toEqual([200, '']);
    const executions = await executionsOf(id);
    expect(executions).toHaveLength(1);
    const { variables } = executions[0]!.trigger as { variables: Body };
    expect(variables).toMatchObject({
      body: { event: { text: 'hi' } },
      token: '******',
    });
    expect(JSON.stringify(executions)).not.toContain('xoxb-123456');
  });

  it.each([
    ['a command', 'command=%2Fdeploy&text=now+please', { command: '/deploy', text: 'now please' }],
    [
      'an interaction',
      `payload=${encodeURIComponent('{"type":"block_actions"}')}`,
      { type: 'block_actions' },
    ],
  ])('reads %s from a form', async (_, body, expected) => {
    const id = await saveFlow();
    expect((await send(id, body, { type: 'application/x-www-form-urlencoded' })).status).toBe(200);
    const [execution] = await executionsOf(id);
    expect(execution?.trigger).toMatchObject({ variables: { body: expected } });
  });

  it.each([
    ['a wrong signature', '{"a":1}', { secret: 'other' }, 401],
    ['an old request', '{"a":1}', { ageMs: 600_000 }, 401],
    ['a body that cannot be read', '{"a":', {}, 400],
    ['a wrong key', '{"a":1}', { path: 'abd' }, 404],
  ] as const)('refuses %s', async (_, body, sent, status) => {
    const id = await saveFlow();
    expect((await send(id, body, sent)).status).toBe(status);
    expect(await executionsOf(id)).toEqual([]);
  });
});
