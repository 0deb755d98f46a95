import { describe, expect, it } from 'vitest';
import { aFlow } from '../../testing/aFlow.ts';
import { anId, sharedServer, stateOf } from '../../testing/aServer.ts';
import { databases } from '../../testing/databases.ts';

const hook = (key: string, more = '') =>
  `triggers:\n  - id: hook\n    type: io.kestra.plugin.core.trigger.Webhook\n    key: "${key}"\n${more}`;

describe.each(databases)('webhooks on $name (api 2.10)', (database) => {
  const shared = sharedServer(database, {
    env: { SECRET_HOOK: Buffer.from('s3cret').toString('base64') },
    settings: { auth: { username: 'a', password: 'bbbbbbbb' } },
  });
  const authorization = `Basic ${Buffer.from('a:bbbbbbbb').toString('base64')}`;
  const save = (id: string, rest: string) =>
    shared().call('POST', '/flows', {
      headers: { 'content-type': 'application/x-yaml', authorization },
      payload: aFlow(id, rest),
    });
  const read = async (id: string) =>
    (await shared().call('GET', `/executions/${id}`, { headers: { authorization } })).body;

  it.each(['GET', 'POST', 'PUT'] as const)(
    'starts a flow with %s and without credentials',
    async (method) => {
      const id = anId();
      await save(id, hook('abc'));
      const { status, body } = await shared().call(
        method,
        `/executions/webhook/company.team/${id}/abc?a=1&a=2&b=x`,
        {
          headers: { 'x-who': 'me' },
        },
      );
      expect(status).toBe(200);
      expect(body).toMatchObject({
        flowId: id,
        state: { current: 'CREATED' },
        trigger: {
          id: 'hook',
          type: 'io.kestra.plugin.core.trigger.Webhook',
          variables: { headers: { 'x-who': ['me'] }, parameters: { a: ['1', '2'], b: ['x'] } },
        },
      });
      expect(body.trigger).not.toHaveProperty('variables.body');
      await expect.poll(async () => stateOf(await read(String(body.id)))).toBe('SUCCESS');
    },
  );

  it('starts once however often the same Idempotency-Key is sent', async () => {
    const id = anId();
    await save(id, hook('abc'));
    const fire = (key: string) =>
      shared().call('POST', `/executions/webhook/company.team/${id}/abc`, {
        headers: { 'idempotency-key': key },
      });
    const answers = await Promise.all([fire('order 1'), fire('order 1'), fire('order 1')]);
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
    expect((await fire('order 1')).body.id).toBe(answers[0]?.body.id);
    expect((await fire('order 2')).body.id).not.toBe(answers[0]?.body.id);
    expect((await fire('x'.repeat(256))).status).toBe(422);
  });

  it.each([
    ['an object', '{"a":{"b":1}}', { a: { b: 1 } }],
    ['a list', '[1,2]', [1, 2]],
    ['text', 'plain', 'plain'],
    ['broken JSON', '{"a":', '{"a":'],
    ['a hostile key', '{"__proto__":{"x":1},"a":1}', { a: 1 }],
    ['nesting without end', `${'['.repeat(10_000)}`, '['.repeat(10_000)],
  ])('hands on %s as the body', async (_name, payload, body) => {
    const id = anId();
    await save(id, hook('abc'));
    const answer = await shared().call('POST', `/executions/webhook/company.team/${id}/abc`, {
      headers: { 'content-type': 'application/octet-stream' },
      payload,
    });
    expect(answer.body).toMatchObject({ trigger: { variables: { body } } });
  });

  it('[A4] compares the rendered key and tells nothing about near misses', async () => {
    const id = anId();
    await save(id, hook("{{ secret('HOOK') }}"));
    const call = async (key: string) =>
      (await shared().call('GET', `/executions/webhook/company.team/${id}/${key}`)).status;
    expect(await call('s3cret')).toBe(200);
    for (const wrong of ['s3cre', 's3cret2', 'S3CRET', 'x'.repeat(256), '%7B%7B'])
      expect(await call(wrong)).toBe(404);
    expect((await shared().call('GET', '/executions/webhook/company.team/nope/x')).status).toBe(404);
  });

  it('honours disabled flows and triggers', async () => {
    const [off, offTrigger] = [anId(), anId()];
    await save(off, `disabled: true\n${hook('abc')}`);
    await save(offTrigger, hook('abc', '    disabled: true\n'));
    expect((await shared().call('GET', `/executions/webhook/company.team/${off}/abc`)).status).toBe(409);
    expect((await shared().call('GET', `/executions/webhook/company.team/${offTrigger}/abc`)).status).toBe(
      404,
    );
    // Without the key, a caller cannot distinguish a disabled flow from a missing one.
    const answer = async (id: string) => {
      const { status, body } = await shared().call('GET', `/executions/webhook/company.team/${id}/guess`);
      return [status, body.message];
    };
    expect(await answer(off)).toEqual(await answer('nope'));
  });

  it('starts only what its conditions let through', async () => {
    const id = anId();
    const condition = (expression: string) =>
      `    conditions:\n      - type: core.condition.Expression\n        expression: "${expression}"\n`;
    await save(id, hook('abc', condition("{{ trigger.body.go == 'yes' }}")));
    const call = (body: object) =>
      shared().call('POST', `/executions/webhook/company.team/${id}/abc`, { payload: body });
    expect((await call({ go: 'no' })).status).toBe(204);
    expect((await call({ go: 'yes' })).status).toBe(200);
    const broken = anId();
    await save(broken, hook('abc', condition('{{ nope() }}')));
    const answer = await shared().call('GET', `/executions/webhook/company.team/${broken}/abc`);
    expect([answer.status, answer.body.message]).toEqual([
      422,
      expect.stringContaining('cannot be answered'),
    ]);
  });

  it('fills inputs and labels from the request', async () => {
    const id = anId();
    const inputs = 'inputs:\n  - id: who\n    type: STRING\n';
    const given =
      '    inputs:\n      who: "{{ trigger.body.name }}"\n    labels:\n      from: "{{ trigger.parameters.from[0] }}"\n';
    await save(id, `${inputs}${hook('abc', given)}`);
    const { body } = await shared().call('POST', `/executions/webhook/company.team/${id}/abc?from=shop`, {
      payload: { name: 'Ada' },
    });
    expect(body).toMatchObject({ inputs: { who: 'Ada' } });
    expect(body.labels).toContainEqual({ key: 'from', value: 'shop' });
    const refused = await shared().call('POST', `/executions/webhook/company.team/${id}/abc`, {
      payload: {},
    });
    expect([refused.status, refused.body.message]).toEqual([
      422,
      expect.stringContaining('cannot be rendered'),
    ]);
  });

  it('waits for the end and answers as its author wants', async () => {
    const flow = (more: string) =>
      `outputs:\n  - id: word\n    type: STRING\n    value: "hello {{ trigger.body }}"\n${hook('abc', more)}`;
    const call = async (more: string) => {
      const id = anId();
      await save(id, flow(more));
      return shared().call('POST', `/executions/webhook/company.team/${id}/abc/extra/words`, {
        headers: { 'content-type': 'text/plain' },
        payload: 'you',
      });
    };
    const waited = await call('    wait: true\n');
    expect([waited.status, stateOf(waited.body)]).toEqual([200, 'SUCCESS']);
    const outputs = await call('    wait: true\n    returnOutputs: true\n    responseCode: 201\n');
    expect([outputs.status, outputs.body]).toEqual([201, { word: 'hello you' }]);
    const text = await call('    wait: true\n    returnOutputs: true\n    responseContentType: text/plain\n');
    expect([text.status, text.body]).toEqual([200, 'hello you']);
    expect(text.headers['content-type']).toContain('text/plain');
  });
});
