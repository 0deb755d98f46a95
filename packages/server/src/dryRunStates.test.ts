import { fileURLToPath } from 'node:url';
import type { Flow } from '@millrace/contract';
import { applyDefaults, parseFlow } from '@millrace/engine';
import { type DryRunOptions, dryRun, type TaskFixture } from '@millrace/engine/dry-run';
import { type Definition, type TaskContext, taskTypesOf } from '@millrace/plugin-kit';
import { families } from '@millrace/plugins';
import { describe, expect, it } from 'vitest';
import { readContent } from './content/readContent.ts';
import { sharedServer, stateOf, taskRunsOf } from './testing/aServer.ts';
import { sqlite } from './testing/databases.ts';
import { multipart } from './testing/multipart.ts';

/**
 * Tasks that need something outside of the server have, in the real run, the outputs that a first dry run generates for
 * them: those of connectors, requests, scripts with packages or containers, and those that delete executions.
 */
const isOutside = (type: string, source: string): boolean =>
  /^core\.http\.|PurgeExecutions$/.test(type) || (!type.startsWith('core.') && /docker|python/.test(source));
const patienceMs = 60_000;
const rows = '{"customer_id":1,"amount":90}\n{"customer_id":2,"amount":200}\n';

interface Run {
  readonly taskId: string;
  readonly value?: string;
  readonly outputs?: Readonly<Record<string, unknown>> | null;
  readonly attempts?: readonly { readonly state: { readonly current: string } }[];
}

const content = readContent(fileURLToPath(new URL('../../../content', import.meta.url)));
const tutorial = (await content.tutorialFlows()).map((text) => ({ name: nameOf(text), source: text }));
const blueprints = (await content.blueprints('flow')).map(({ id, source }) => ({ name: id, source }));
const cases = [...tutorial, ...blueprints];
const secrets = new Set(
  blueprints.flatMap(({ source }) => [...source.matchAll(/\bsecret\(\s*['"](\w+)/g)].map(([, name]) => name)),
);
const env = Object.fromEntries(
  [...secrets].map((name) => [`SECRET_${name}`, Buffer.from('a secret').toString('base64')]),
);

/** The outputs of the tasks of connectors in the current case, by task id. */
const generated = new Map<string, Readonly<Record<string, unknown>>>();
/** The files that these tasks have written in the current case, by URI. */
const written = new Map<string, string>();
/** The source of the current case. */
let current = '';
const definitions = families.flatMap(({ name, types }) => {
  if (name === 'core')
    return types.filter(({ type }) => isOutside(type, '')).map((one) => withoutOutside(one, true));
  return types.map((one) => withoutOutside(one, name === 'scripts'));
});

/** The same type, which reaches nothing outside of the server. */
function withoutOutside(definition: Definition, isOwn: boolean): Definition {
  if (definition.kind === 'task' && 'run' in definition) {
    const run: typeof definition.run = (context, input) =>
      isOwn && !isOutside(definition.type, current)
        ? definition.run(context, input)
        : withFiles(generated.get(context.run.taskId) ?? {}, context);
    return { ...definition, run };
  }
  if (isOwn) return definition;
  if (definition.kind === 'trigger' && definition.role === 'polling')
    return { ...definition, poll: async () => undefined };
  return definition;
}

/** A file that was only named exists in a real run. */
async function withFiles(
  outputs: Readonly<Record<string, unknown>>,
  { files, run }: TaskContext,
): Promise<Record<string, unknown>> {
  const real = Object.entries(outputs).map(async ([name, value]) => {
    const isFile =
      String(value).startsWith('millrace:///mock/') ||
      current.includes(`read(outputs.${run.taskId}.${name})`);
    if (!isFile) return [name, value];
    const uri = await files.put(`${name}.jsonl`, rows);
    written.set(uri, rows);
    return [name, uri];
  });
  return Object.fromEntries(await Promise.all(real));
}

function nameOf(source: string): string {
  return /^id: (.*)$/m.exec(source)?.[1] ?? '';
}

describe('a dry run with the outputs of a real run', () => {
  const shared = sharedServer(sqlite, {
    env: { PATH: process.env.PATH ?? '', ...env },
    definitions,
  });

  it.each(cases)('A-3.15 ends in the same states: $name', { timeout: patienceMs }, async ({ source }) => {
    const server = shared();
    const { catalogue } = server.product;
    const { flow } = parseFlow(source, catalogue);
    if (!flow) throw new Error('The source is not a flow.');
    const surroundings = {
      types: taskTypesOf(catalogue),
      now: Date.parse('2026-01-05T09:00:00Z'),
      subflowOutputs: () => [],
    };
    const whole = applyDefaults(flow, { catalogue });
    const first = await dryRun(whole, surroundings);
    current = source;
    generated.clear();
    written.clear();
    for (const { taskId, outputs } of first.taskRuns) if (outputs) generated.set(taskId, outputs);
    await saveWithSubflows(flow, source);
    const files = (flow.inputs ?? []).filter(({ type }) => type === 'FILE');
    const hook = flow.triggers?.find(({ type }) => type === 'core.trigger.Webhook');
    const started = hook
      ? await server.call('POST', `/executions/webhook/${flow.namespace}/${flow.id}/${keyOf(hook)}`, {
          payload: {
            event: 'created',
            name: 'Ada',
            email: 'ada@example.com',
            firstName: 'Ada',
            message: 'Hello',
          },
        })
      : await server.call(
          'POST',
          `/executions/${flow.namespace}/${flow.id}`,
          files.length > 0
            ? multipart(...files.map(({ id }) => ({ name: id, fileName: 'rows.jsonl', content: rows })))
            : {},
        );
    expect([started.status, started.body.message]).toEqual([200, undefined]);
    const real = await endOf(String(started.body.id));
    const runs = taskRunsOf(real) as unknown as Run[];
    const dry = await dryRun(whole, {
      ...surroundings,
      inputs: (real.inputs ?? {}) as Record<string, unknown>,
      tasks: runs.map(toFixture),
      files: Object.fromEntries(written),
      trigger: real.trigger as DryRunOptions['trigger'],
    });
    expect([dry.stopped, dry.inputErrors]).toEqual([undefined, []]);
    const states = (all: readonly { taskId: string; state: string }[]) =>
      all.map(({ taskId, state }) => `${taskId} ${state}`).sort();
    expect(states(dry.taskRuns)).toEqual(
      states(taskRunsOf(real).map((run) => ({ taskId: String(run.taskId), state: stateOf(run) }))),
    );
    expect(dry.execution.state.current).toBe(stateOf(real));
  });

  /** Saves the flow, and before it the flows of the tutorial and of blueprints that it calls. */
  async function saveWithSubflows(flow: Flow, source: string): Promise<void> {
    for (const called of [...tutorial, ...blueprints])
      if (called.source !== source && source.includes(`flowId: ${nameOf(called.source)}`))
        await shared().call('POST', '/flows', {
          headers: { 'content-type': 'application/x-yaml' },
          payload: called.source,
        });
    await shared().call('DELETE', `/flows/${flow.namespace}/${flow.id}`);
    await shared().saveFlow(source);
  }

  /** Waits for the end; pauses are resumed with the defaults of their inputs. */
  async function endOf(executionId: string): Promise<Record<string, unknown>> {
    for (;;) {
      const execution = await shared().waitForState(
        executionId,
        ...['SUCCESS', 'WARNING', 'FAILED', 'KILLED', 'CANCELLED', 'PAUSED'],
      );
      if (stateOf(execution) !== 'PAUSED') return execution;
      await shared().call('POST', `/executions/${executionId}/resume`, multipart());
    }
  }
});

/** The key of a webhook; every secret has the same value. */
function keyOf({ key }: Readonly<Record<string, unknown>>): string {
  return encodeURIComponent(String(key).includes('secret(') ? 'a secret' : String(key));
}

/** A result as it came from the real run; a failure that the flow tolerates shows in the attempts. */
function toFixture({ taskId, value, outputs, attempts }: Run): TaskFixture {
  const ended = attempts?.at(-1)?.state.current;
  return {
    id: taskId,
    outputs: outputs ?? {},
    from: 'execution',
    ...(value === undefined ? {} : { value }),
    ...(ended === 'FAILED' || ended === 'WARNING'
      ? { state: ended }
      : { failedAttempts: (attempts ?? []).filter(({ state }) => state.current === 'FAILED').length }),
  };
}
