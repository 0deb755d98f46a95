import { fileURLToPath } from 'node:url';
import type { Flow } from '@millrace/contract';
import { applyDefaults, parseFlow } from '@millrace/engine';
import { dryRun, type TaskFixture } from '@millrace/engine/dry-run';
import { taskTypesOf } from '@millrace/plugin-kit';
import { describe, expect, it } from 'vitest';
import { readContent } from './content/readContent.ts';
import { sharedServer, stateOf, taskRunsOf } from './testing/aServer.ts';
import { sqlite } from './testing/databases.ts';
import { multipart } from './testing/multipart.ts';

/** Flows that need more than this server: other services, containers, tools or a schedule. */
const needsOutside =
  /core\.http|docker|python|\.trigger\.Webhook|PurgeExecutions|\bsecret\(|type: (?!core|scripts)[a-z]+\.[\w.]+\.[A-Z]/;
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
const cases = [...tutorial, ...blueprints].filter(({ source }) => !needsOutside.test(source));

function nameOf(source: string): string {
  return /^id: (.*)$/m.exec(source)?.[1] ?? '';
}

describe('a dry run with the outputs of a real run', () => {
  const shared = sharedServer(sqlite, { env: { PATH: process.env.PATH ?? '' } });

  it('covers every tutorial flow', () => {
    expect(cases.length).toBeGreaterThanOrEqual(tutorial.length + 8);
  });

  it.each(cases)('ends in the same states: $name', { timeout: patienceMs }, async ({ source }) => {
    const server = shared();
    const { catalogue } = server.product;
    const { flow } = parseFlow(source, catalogue);
    if (!flow) throw new Error('The source is not a flow.');
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
    const dry = await dryRun(applyDefaults(flow, { catalogue }), {
      types: taskTypesOf(catalogue),
      now: Date.parse('2026-01-05T09:00:00Z'),
      inputs: (real.inputs ?? {}) as Record<string, unknown>,
      tasks: runs.map(toFixture),
      subflowOutputs: () => [],
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
