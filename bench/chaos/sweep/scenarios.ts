import { namespace, webhookKey } from '../flows.ts';
import type { Life } from './life.ts';

/** Flows of one kind, the user's actions on them, and the expected number of executions. */
export interface Scenario {
  readonly name: string;
  readonly flows: readonly string[];
  /** Idempotent: the client repeats it from the beginning when it got no response. */
  drive(life: Life): Promise<void>;
  /** Executions by flow. */
  readonly expected: Readonly<Record<string, number>>;
}

const flow = (id: string, text: string) => `id: ${id}\nnamespace: ${namespace}\n${text}\n`;
const work = (id: string, does = 'nothing') => `{ id: ${id}, type: sweep.Work, does: ${does} }`;
const said = '{ id: first, type: core.log.Log, message: ["one", "two", "three"] }';
const start =
  (...flowIds: readonly string[]) =>
  async (life: Life): Promise<void> => {
    for (const [index, flowId] of flowIds.entries()) await life.start(flowId, String(index));
  };

export const scenarios: readonly Scenario[] = [
  {
    name: 'one task after the other',
    flows: [
      flow(
        'steps',
        `tasks:\n  - ${said}\n  - ${work('stored', 'store')}\n  - ${work('last')}\n  - ${last()}`,
      ),
    ],
    drive: start('steps'),
    expected: { steps: 1 },
  },
  {
    name: 'tasks at the same time',
    flows: [
      flow(
        'together',
        `tasks:\n  - id: both\n    type: core.flow.Parallel\n    tasks: [${work('left')}, ${work('right')}]`,
      ),
    ],
    drive: start('together'),
    expected: { together: 1 },
  },
  {
    name: 'a loop',
    flows: [
      flow(
        'loop',
        `tasks:\n  - id: each\n    type: core.flow.ForEach\n    values: [1, 2, 3]\n    concurrencyLimit: 2\n    tasks: [${work('item')}, ${last()}]`,
      ),
    ],
    drive: start('loop'),
    expected: { loop: 1 },
  },
  {
    name: 'a task that fails and is tried again',
    flows: [
      flow(
        'retrying',
        `tasks:\n  - id: unsure\n    type: sweep.Work\n    does: fail once\n    retry: { type: constant, interval: PT0.01S, maxAttempts: 10 }`,
      ),
    ],
    drive: start('retrying'),
    expected: { retrying: 1 },
  },
  {
    name: 'a call of another flow that a third one listens to',
    flows: [
      flow('child', `tasks:\n  - ${work('task')}`),
      flow(
        'parent',
        `tasks:\n  - id: call\n    type: core.flow.Subflow\n    namespace: ${namespace}\n    flowId: child`,
      ),
      flow(
        'listener',
        `triggers:\n  - id: heard\n    type: core.trigger.Flow\n    states: [SUCCESS]\n    preconditions:\n      id: child\n      flows: [{ namespace: ${namespace}, flowId: child, states: [SUCCESS] }]\ntasks:\n  - ${said}`,
      ),
    ],
    drive: start('parent'),
    expected: { parent: 1, child: 1, listener: 1 },
  },
  {
    name: 'a pause that a user ends',
    flows: [flow('paused', `tasks:\n  - { id: wait, type: core.flow.Pause }\n  - ${work('after')}`)],
    drive: async (life) => {
      const id = await life.start('paused', '0');
      await life.resume(id);
    },
    expected: { paused: 1 },
  },
  {
    name: 'tasks that share a folder',
    flows: [
      flow(
        'shared',
        `tasks:\n  - id: folder\n    type: core.flow.WorkingDirectory\n    tasks: [${work('write', 'write')}, ${work('read', 'read')}]`,
      ),
    ],
    drive: start('shared'),
    expected: { shared: 1 },
  },
  {
    name: 'more starts than a limit lets through',
    flows: [flow('limited', `concurrency: { limit: 2, behavior: QUEUE }\ntasks:\n  - ${work('task')}`)],
    drive: start('limited', 'limited', 'limited', 'limited'),
    expected: { limited: 4 },
  },
  {
    name: 'a date of a schedule',
    flows: [
      flow(
        'scheduled',
        `triggers:\n  - id: yearly\n    type: core.trigger.Schedule\n    cron: "0 0 1 1 *"\ntasks:\n  - ${work('task')}`,
      ),
    ],
    drive: (life) => life.goToNextYear(),
    expected: { scheduled: 1 },
  },
  {
    name: 'a call of a webhook',
    flows: [
      flow(
        'hooked',
        `triggers:\n  - { id: hook, type: core.trigger.Webhook, key: ${webhookKey} }\ntasks:\n  - ${work('task')}`,
      ),
    ],
    drive: (life) => life.callHook('hooked', 'order-1'),
    expected: { hooked: 1 },
  },
  {
    name: 'a kill, and what is done in the end',
    flows: [
      flow('killed', `tasks:\n  - { id: endless, type: sweep.Endless }\nfinally:\n  - ${work('tidy')}`),
    ],
    drive: async (life) => {
      const id = await life.start('killed', '0');
      await life.kill(id);
    },
    expected: { killed: 1 },
  },
];

function last(): string {
  return '{ id: computed, type: core.debug.Return, format: "{{ execution.id }}" }';
}
