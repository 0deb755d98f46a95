import { defineTrigger, type Emit, type TaskContext, type TriggerContext } from '@millrace/plugin-kit';
import { vi } from 'vitest';
import { z } from 'zod';
import type { TestServer } from '../../testing/aServer.ts';

export type Outputs = Readonly<Record<string, unknown>>;
type Poll = (context: TriggerContext) => Promise<Outputs | undefined>;
type Listen = (context: TriggerContext, emit: Emit) => Promise<void>;

/** The behavior of the triggers of this file, by the name of their source. */
export const polls = new Map<string, Poll>();
export const listens = new Map<string, Listen>();
const words = { title: 'For tests', description: 'For tests', examples: [], output: z.object({}) };
export const definitions = [
  defineTrigger({
    ...words,
    type: 'test.Poll',
    role: 'polling',
    input: z.object({ source: z.string(), interval: z.string().default('PT0.1S') }),
    poll: async (context, { source }) => polls.get(source)?.(context),
  }),
  defineTrigger({
    ...words,
    type: 'test.Listen',
    role: 'realtime',
    input: z.object({ source: z.string() }),
    listen: async (context, { source }, emit) => listens.get(source)?.(context, emit),
  }),
];
/** Names every member of the context of a task: the compiler finds one that is left out. */
const members: Record<keyof TaskContext, true> = {
  run: true,
  variables: true,
  signal: true,
  log: true,
  metric: true,
  addTaskRun: true,
  render: true,
  renderTyped: true,
  secret: true,
  seal: true,
  masker: true,
  workingDirectory: true,
  files: true,
  kv: true,
  namespaceFiles: true,
  flows: true,
  dashboards: true,
  spawn: true,
  fetch: true,
  mayReach: true,
  connect: true,
  lookup: true,
  actions: true,
  runNested: true,
  findType: true,
  configuration: true,
};
export const membersOfContext = Object.keys(members) as (keyof TaskContext)[]; // the keys of the record above

export function resetSources(): void {
  polls.clear();
  listens.clear();
}

/** A listener that emits what is pushed, until it is stopped. */
export function aListener(source: string) {
  const live = new Set<Emit>();
  const state = { starts: 0, stops: 0 };
  listens.set(source, async (context, emit) => {
    state.starts++;
    live.add(emit);
    await new Promise<void>((resolve) => context.signal.addEventListener('abort', () => resolve()));
    live.delete(emit);
    state.stops++;
  });
  return {
    state,
    emit: async (outputs: Outputs, key?: string) => {
      for (const emit of live) await emit(outputs, key === undefined ? {} : { key });
    },
    get isLive() {
      return live.size > 0;
    },
  };
}

export const trigger = (type: string, source: string, rest = '') =>
  `triggers:\n  - id: look\n    type: test.${type}\n    source: ${source}\n${rest}`;
export const until = (check: () => unknown) => vi.waitFor(check, { timeout: 60_000, interval: 20 });

export const executionsOf = async (server: TestServer, flowId: string) => {
  const { body } = await server.call(
    'GET',
    `/executions/search?namespace=company.team&flowId=${flowId}&size=100`,
  );
  return (body.results as Record<string, unknown>[]).toReversed();
};
export const rowOf = (server: TestServer, flowId: string) =>
  server.product.store.getTrigger('company.team', flowId, 'look');
export const logOf = async (server: TestServer, flowId: string) => {
  await server.product.logs.flush();
  const { body } = await server.call(
    'GET',
    `/logs/search?namespace=company.team&flowId=${flowId}&triggerId=look&size=100&minLevel=TRACE`,
  );
  return (body.results as { level: string; message: string }[]).map(
    ({ level, message }) => `${level} ${message}`,
  );
};
export const call = (server: TestServer, flowId: string, verb: string) =>
  server.call('POST', `/triggers/company.team/${flowId}/look/${verb}`);
export const turn = (server: TestServer, flowId: string, disabled: boolean) =>
  server.call('PUT', '/triggers', {
    payload: { namespace: 'company.team', flowId, triggerId: 'look', disabled },
  });
