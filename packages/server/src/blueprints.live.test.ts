import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { families } from '@millrace/plugins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toBlueprints } from './content/blueprints.ts';
import { sharedServer, stateOf, taskRunsOf } from './testing/aServer.ts';
import { cases } from './testing/blueprints/allCases.ts';
import type { Case, Ended, Running } from './testing/blueprints/case.ts';
import { redirected } from './testing/blueprints/internet.ts';
import { secretsOf } from './testing/blueprints/secrets.ts';
import { openServices, type Services } from './testing/blueprints/services.ts';
import { sqlite } from './testing/databases.ts';
import { multipart } from './testing/multipart.ts';

const folder = new URL('../../../content/blueprints/flow/', import.meta.url);
const files = readdirSync(folder).map((path) => ({
  path,
  text: readFileSync(new URL(path, folder), 'utf8'),
}));
const blueprints = new Map(toBlueprints(files, 'flow').map((blueprint) => [blueprint.id, blueprint]));

let services: Services;
const definitions = families
  .flatMap(({ types }) => types)
  .map((definition) => redirected(definition, () => services.internet.url));

const ends = ['SUCCESS', 'WARNING', 'FAILED', 'KILLED', 'CANCELLED'];

/** `npm run test:connectors` installs Kafka, dbt and Azurite, and says whether the registries can be reached. */
describe('blueprints', () => {
  beforeAll(async () => {
    services = await openServices();
  });
  const shared = sharedServer(sqlite, {
    env: { PATH: process.env.PATH ?? '', ...secretsOf(files.map(({ text }) => text).join('\n')) },
    definitions,
    // Repositories in temporary folders stand for those of a Git server.
    settings: { plugins: { configurations: [{ type: 'git', values: { allowedPaths: [tmpdir()] } }] } },
  });
  afterAll(() => services.stop());

  it('run here, all of them', () => {
    expect(Object.keys(cases).sort()).toEqual([...blueprints.keys()].sort());
  });

  it.for(Object.entries(cases))('%s', async ([id, given], { skip }) => {
    if (given.missing !== undefined) skip(given.missing);
    services.internet.clear();
    const source = await sourceOf(id, given);
    const [, flowId = ''] = /^id: (.*)$/m.exec(source) ?? [];
    const [, namespace = ''] = /^namespace: (.*)$/m.exec(source) ?? [];
    const running: Running = { server: shared(), services, namespace, flowId };
    await given.before?.(running);
    await shared().saveFlow(source);
    try {
      const executionId = given.cause ? await causeOne(given, running) : await startOne(given, running);
      const ended = await endOf(executionId, given);
      const { messages } = ended;
      expect({
        state: ended.state,
        errors: ended.state === (given.state ?? 'SUCCESS') ? [] : messages,
      }).toEqual({
        state: given.state ?? 'SUCCESS',
        errors: [],
      });
      await given.check?.(ended, running);
    } finally {
      await shared().call('DELETE', `/flows/${namespace}/${flowId}`);
    }
  });

  /** The blueprint with the servers of this test. Only its own trigger starts it: no schedule is due meanwhile. */
  async function sourceOf(id: string, { edits }: Case): Promise<string> {
    let source = blueprints.get(id)?.source ?? '';
    for (const [from, to] of (await edits?.(services)) ?? []) {
      if (typeof from === 'string' ? !source.includes(from) : !from.test(source))
        throw new Error(`The blueprint ${id} no longer has ${from}`);
      source = source.replaceAll(from, to);
    }
    return source.replace(/(type: core\.trigger\.Schedule\n)(?! {4}disabled)/g, '$1    disabled: true\n');
  }

  async function startOne({ inputs = {} }: Case, { namespace, flowId }: Running): Promise<string> {
    const parts = Object.entries(inputs).map(([name, value]) =>
      typeof value === 'string' ? { name, content: value } : { name, ...value },
    );
    const path = `/executions/${namespace}/${flowId}`;
    const { status, body } = await shared().call('POST', path, parts.length > 0 ? multipart(...parts) : {});
    expect([status, body.message]).toEqual([200, undefined]);
    return String(body.id);
  }

  async function causeOne({ cause, repeats }: Case, running: Running): Promise<string> {
    await cause?.(running);
    const path = `/executions/search?namespace=${running.namespace}&flowId=${running.flowId}`;
    let id: unknown;
    await expect
      .poll(
        async () => {
          const { results } = (await shared().call('GET', path)).body as { results: { id: unknown }[] };
          id = results[0]?.id;
          if (id === undefined && repeats) await cause?.(running);
          return id;
        },
        { interval: 200 },
      )
      .toEqual(expect.any(String));
    return String(id);
  }

  async function endOf(executionId: string, { resume }: Case): Promise<Ended & { state: string }> {
    let execution = await shared().waitForState(executionId, ...ends, ...(resume ? ['PAUSED'] : []));
    if (resume && stateOf(execution) === 'PAUSED') {
      const parts = Object.entries(resume).map(([name, content]) => ({ name, content }));
      const path = `/executions/${executionId}/resume`;
      await shared().call('POST', path, parts.length > 0 ? multipart(...parts) : {});
      execution = await shared().waitForState(executionId, ...ends);
    }
    const logs = await shared().product.store.listLogs({ executionId });
    return {
      id: executionId,
      state: stateOf(execution),
      outputs: (execution.outputs ?? {}) as Ended['outputs'],
      output: (taskId) =>
        (taskRunsOf(execution).find((run) => run.taskId === taskId)?.outputs ?? {}) as Ended['outputs'],
      file: async (uri) => {
        const path = `/executions/${executionId}/file?path=${encodeURIComponent(String(uri))}`;
        return (await shared().app.inject({ method: 'GET', url: `/api/v1${path}` })).rawPayload;
      },
      messages: logs.map(({ message }) => message),
    };
  }
});
