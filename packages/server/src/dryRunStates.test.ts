import { fileURLToPath } from 'node:url';
import type { Flow } from '@millrace/contract';
import { applyDefaults, parseFlow } from '@millrace/engine';
import { dryRun, type TaskFixture } from '@millrace/engine/dry-run';
import { type Definition, type TaskContext, taskTypesOf } from '@millrace/plugin-kit';
import { families } from '@millrace/plugins';
import { describe, expect, it } from 'vitest';
import { readContent } from './content/readContent.ts';
import { sharedServer, stateOf, taskRunsOf } from './testing/aServer.ts';
import { sqlite } from './testing/databases.ts';
import { multipart } from './testing/multipart.ts';

/**
 * Flows that cannot run here, with the reason. Tasks of connectors are no reason: in the real run they have the outputs
 * that a first dry run generates for them.
 */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/core\.http/, 'requests an address outside'],
  [/docker/, 'needs containers'],
  [/python/, 'needs Python packages'],
  [/\.trigger\.Webhook/, 'reads the request of a webhook'],
  [/read\(outputs\.plan\.flows\)/, 'reads a file that a connector writes'],
  [/PurgeExecutions/, 'deletes executions of the other tests'],
];
const reasonOf = (source: string): string | undefined =>
  reasons.find(([pattern]) => pattern.test(source))?.[1];
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
const cases = [...tutorial, ...blueprints].filter(({ source }) => reasonOf(source) === undefined);
const secrets = new Set(
  blueprints.flatMap(({ source }) => [...source.matchAll(/\bsecret\(\s*['"](\w+)/g)].map(([, name]) => name)),
);
const env = Object.fromEntries(
  [...secrets].map((name) => [`SECRET_${name}`, Buffer.from('a secret').toString('base64')]),
);

/** The outputs of the tasks of connectors in the current case, by task id. */
const generated = new Map<string, Readonly<Record<string, unknown>>>();
const connectors = families
  .filter(({ name }) => name !== 'core' && name !== 'scripts')
  .flatMap(({ types }) => types)
  .map(withoutOutside);

/** The same type, which reaches nothing outside of the server. */
function withoutOutside(definition: Definition): Definition {
  if (definition.kind === 'task' && 'run' in definition)
    return { ...definition, run: ({ run }: TaskContext) => generated.get(run.taskId) ?? {} };
  if (definition.kind === 'trigger' && definition.role === 'polling')
    return { ...definition, poll: async () => undefined };
  return definition;
}

function nameOf(source: string): string {
  return /^id: (.*)$/m.exec(source)?.[1] ?? '';
}

describe('a dry run with the outputs of a real run', () => {
  const shared = sharedServer(sqlite, {
    env: { PATH: process.env.PATH ?? '', ...env },
    definitions: connectors,
  });

  it('covers every tutorial flow and most blueprints', () => {
    expect(tutorial.filter(({ source }) => reasonOf(source) !== undefined)).toEqual([]);
    expect(cases.length).toBeGreaterThanOrEqual(tutorial.length + 84);
  });

  it.each(cases)('ends in the same states: $name', { timeout: patienceMs }, async ({ source }) => {
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
    generated.clear();
    for (const { taskId, outputs } of first.taskRuns) if (outputs) generated.set(taskId, outputs);
    await saveWithSubflows(flow, source);
    const files = (flow.inputs ?? []).filter(({ type }) => type === 'FILE');
    const started = await server.call(
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
