import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aFlow } from '../testing/aFlow.ts';
import { aReceiver } from '../testing/aReceiver.ts';
import { anId, sharedServer, type TestServer, yaml } from '../testing/aServer.ts';
import { databases } from '../testing/databases.ts';

type Body = Record<string, unknown>;

const failing = (id: string) =>
  aFlow(
    id,
    'tasks:\n  - id: read\n    type: core.execution.Fail\n    errorMessage: "Row {{ execution.id }} is empty"\n',
  );
const key = Buffer.alloc(32, 7).toString('base64');
const env = { SECRET_HOOK: Buffer.from('signing-key').toString('base64') };

describe.each(databases)('alerts on $name', (database) => {
  let now = 0;
  const shared = sharedServer(database, {
    settings: { encryption: { secretKey: key }, url: 'https://mill.example' },
    env,
    clock: () => Date.now() + now,
  });

  const put = async (server: TestServer, path: string, payload: object): Promise<Body> => {
    const { status, body } = await server.call('PUT', path, { payload });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body;
  };

  /** A channel and a rule for one flow. */
  async function anAlert(server: TestServer, id: string, url: string, rule: object = {}): Promise<void> {
    await put(server, `/alerts/channels/${id}`, { id, type: 'webhook', url });
    await put(server, `/alerts/rules/${id}`, {
      id,
      namespace: 'company.team',
      flowId: id,
      when: { type: 'state' },
      channels: [id],
      ...rule,
    });
  }

  it('O-8.4 O-8.7 tells about the first of several failures once, and about the recovery once', async () => {
    const [server, id, { received, url }] = [shared(), anId(), await aReceiver()];
    await server.saveFlow(failing(id));
    await anAlert(server, id, url);
    const first = await server.run(id);
    await expect.poll(() => received.length).toBe(1);
    expect(received[0]?.body).toMatchObject({
      type: 'alert.opened',
      title: `company.team.${id} is FAILED`,
      message: expect.stringContaining('is empty'),
      link: `https://mill.example/main/executions/company.team/${id}/${first.id}`,
      incident: { flowId: id, taskId: 'read', executionId: first.id, count: 1 },
    });
    expect(received[0]?.headers['idempotency-key']).toBe(received[0]?.body.id);
    await server.run(id);
    const open = async () => {
      const { body } = await server.call('GET', '/alerts/incidents?size=100');
      return (body.results as Body[]).filter(({ flowId }) => flowId === id);
    };
    await expect.poll(async () => (await open())[0]?.count).toBe(2);
    await server.call('PUT', `/flows/company.team/${id}`, yaml(aFlow(id)));
    await server.run(id);
    await server.product.alerts.evaluator.runRound();
    await expect.poll(() => received.length).toBe(2);
    expect(received[1]?.body).toMatchObject({
      type: 'alert.recovered',
      status: 'resolved',
      severity: 'info',
      incident: { count: 2 },
    });
    expect(await open()).toEqual([]);
    const sent = async () => {
      const { body } = await server.call('GET', '/alerts/deliveries?size=100');
      return (body.results as Body[]).filter(({ channelId }) => channelId === id).map(({ kind }) => kind);
    };
    await expect.poll(sent).toEqual(['recovered', 'opened']);
    const { body } = await server.call('GET', '/alerts/incidents?state=RECOVERED&size=100');
    expect((body.results as Body[]).some(({ flowId }) => flowId === id)).toBe(true);
  });

  it('retries until the receiver accepts, and shows that the channel fails', async () => {
    const [server, id] = [shared(), anId()];
    let status = 503;
    const { received, url } = await aReceiver(() => status);
    await server.saveFlow(failing(id));
    await anAlert(server, id, url);
    await server.run(id);
    const channel = async () => {
      const { body } = await server.call('GET', '/alerts/channels');
      return (body.results as { channel: Body; failing?: Body; lastSentAt?: string }[]).find(
        (each) => each.channel.id === id,
      );
    };
    await expect
      .poll(async () => (await channel())?.failing)
      .toMatchObject({
        error: 'The receiver responded with status 503: not now',
        waiting: 1,
      });
    status = 200;
    now += 10_000;
    server.product.alerts.sender.wake();
    await expect.poll(() => received.length).toBe(1);
    await expect.poll(async () => (await channel())?.lastSentAt).toBeTruthy();
    expect((await channel())?.failing).toBeUndefined();
  });

  it('signs with a secret, hides stored secrets, and keeps a hidden one', async () => {
    const [server, id, { received, url }] = [shared(), anId(), await aReceiver()];
    const channel = { id, type: 'webhook', url: `${url}/private`, signingSecret: "{{ secret('HOOK') }}" };
    const saved = await put(server, `/alerts/channels/${id}`, channel);
    expect(saved.channel).toEqual({ ...channel, url: '********' });
    await put(server, `/alerts/channels/${id}`, { ...channel, url: '********', description: 'mine' });
    const { body } = await server.call('POST', `/alerts/channels/${id}/test`);
    expect(body).toEqual({ delivered: true });
    const headers: Record<string, unknown> = { ...received[0]?.headers };
    expect(received[0]?.path).toBe('/private');
    const signed = createHmac('sha256', 'signing-key').update(
      `${headers['x-millrace-timestamp']}.${received[0]?.text}`,
    );
    expect(headers['x-millrace-signature']).toBe(`sha256=${signed.digest('hex')}`);
    const stored = JSON.stringify(await server.product.store.getDocument('alert.channel', id));
    expect(stored).not.toContain('/private');
  });

  it('does not reveal a secret in the error of a test', async () => {
    const [server, id] = [shared(), anId()];
    const url = 'http://127.0.0.1:1/very-secret-path';
    await put(server, `/alerts/channels/${id}`, { id, type: 'slack', url });
    const { body } = await server.call('POST', `/alerts/channels/${id}/test`);
    expect(body.delivered).toBe(false);
    expect(String(body.error)).not.toContain('very-secret-path');
  });

  it('O-8.2 reports a violated SLA at once, while the execution runs', async () => {
    const [server, id, { received, url }] = [shared(), anId(), await aReceiver()];
    const sla = 'sla:\n  - id: fast\n    type: MAX_DURATION\n    duration: PT0.05S\n    behavior: NONE\n';
    await server.saveFlow(aFlow(id, `${sla}tasks:\n  - id: wait\n    type: test.Door\n    door: ${id}\n`));
    await anAlert(server, id, url, { when: { type: 'sla' } });
    await server.start(id);
    await expect.poll(() => received.length).toBe(1);
    expect(received[0]?.body.title).toBe(`SLA "fast" of company.team.${id} is violated`);
  });

  it('O-8.2 evaluates a failure rate and a missing run from stored rows', async () => {
    const [server, id, { received, url }] = [shared(), anId(), await aReceiver()];
    await server.saveFlow(failing(id));
    await anAlert(server, id, url, { when: { type: 'failureRate', minExecutions: 2, percent: 100 } });
    await put(server, `/alerts/rules/${id}-missing`, {
      id: `${id}-missing`,
      namespace: 'company.team',
      flowId: `${id}-never`,
      when: { type: 'noRun', for: 'PT1H' },
      channels: [id],
    });
    await server.run(id);
    await server.product.alerts.evaluator.runRound();
    await server.run(id);
    await server.product.alerts.evaluator.runRound();
    await server.product.alerts.evaluator.runRound();
    await expect.poll(() => received.length).toBe(1);
    expect(received[0]?.body.title).toBe(`100% of the executions of company.team.${id} failed`);
    now += 3_600_000;
    await server.product.alerts.evaluator.runRound();
    await expect
      .poll(() => received.map(({ body }) => body.title))
      .toContain(`No execution of company.team.${id}-never for 1 h`);
    await server.call('DELETE', `/alerts/rules/${id}-missing`);
  });

  it('O-8.10 reads and writes all definitions as YAML, with positions of problems', async () => {
    const [server, id] = [shared(), anId()];
    const bad = `channels:\n  - id: ${id}\n    type: slack\n    url: ftp://x\nrules:\n  - id: r\n    when: { type: stat }\n    channels: [${id}]\n`;
    const { body } = await server.call('POST', '/alerts/document/validate', yaml(bad));
    expect(body.issues).toMatchObject([
      { path: 'rules[0].when.type', range: { start: { line: 7, column: 19 } } },
    ]);
    const refused = await server.call('PUT', '/alerts/document', yaml(bad));
    expect(refused.status).toBe(422);
    expect(JSON.stringify(refused.body)).toContain('line 7, column 19');
    const before = (await server.call('GET', '/alerts/document')).body as unknown as string;
    expect(before).not.toContain('http://127');
    const added = before
      .replace('channels:\n', `channels:\n  - { id: ${id}, type: slack, url: "https://hooks.example/x" }\n`)
      .replace('rules:\n', `rules:\n  - { id: ${id}, when: { type: late }, channels: [${id}] }\n`);
    expect((await server.call('PUT', '/alerts/document', yaml(added))).status).toBe(200);
    const after = (await server.call('GET', '/alerts/document')).body as unknown as string;
    expect(after).toContain(`id: ${id}`);
    expect(after).not.toContain('hooks.example');
    expect((await server.call('PUT', '/alerts/document', yaml(before))).status).toBe(200);
  });

  it('refuses wrong definitions and channels in use', async () => {
    const [server, id] = [shared(), anId()];
    const refusal = async (path: string, payload: object) => {
      const { status, body } = await server.call('PUT', path, { payload });
      return [status, String(body.message)];
    };
    const rule = { id, when: { type: 'state' }, channels: [`${id}-none`] };
    const [status, message] = await refusal(`/alerts/rules/${id}`, rule);
    expect([status, message]).toEqual([
      422,
      expect.stringContaining(`there is no alert channel "${id}-none"`),
    ]);
    expect((await refusal(`/alerts/channels/${id}`, { id, type: 'slack', url: 'file:///x' }))[0]).toBe(422);
    expect((await refusal(`/alerts/channels/other`, { id, type: 'slack', url: 'https://x' }))[0]).toBe(422);
    await anAlert(server, id, 'https://x.example');
    expect((await server.call('DELETE', `/alerts/channels/${id}`)).status).toBe(409);
    expect((await server.call('DELETE', `/alerts/rules/${id}`)).status).toBe(204);
    expect((await server.call('DELETE', `/alerts/channels/${id}`)).status).toBe(204);
    expect((await server.call('DELETE', `/alerts/channels/${id}`)).status).toBe(404);
  });
});
