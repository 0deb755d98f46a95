import { type ExecutionRecord, isTerminal, type TaskRunRecord } from '@millrace/contract';
import type { ExecutionWithTaskRuns, Store } from '@millrace/store';
import type { Accepted } from './drive.ts';
import { limit, namespace } from './flows.ts';

/** The violated guarantees, one sentence each. */
export type Violations = string[];

export interface History {
  readonly executions: readonly ExecutionWithTaskRuns[];
  readonly accepted: Accepted;
  /** Lines `taskRunId attempt`, one for each run of a script. */
  readonly ledger: readonly string[];
}

export async function readExecutions(store: Store): Promise<ExecutionWithTaskRuns[]> {
  const all: ExecutionWithTaskRuns[] = [];
  for (let page = 1; ; page++) {
    const { results } = await store.listExecutions({
      page,
      size: 200,
      sort: [{ field: 'state.startDate', descending: false }],
      filters: [{ field: 'namespace', operation: 'EQUALS', value: namespace }],
    });
    for (const { execution } of results) {
      const stored = await store.getExecution(execution.id);
      if (stored) all.push(stored);
    }
    if (results.length < 200) return all;
  }
}

/** Checks the stored data against everything that must hold after any fault. */
export async function checkInvariants(history: History, store: Store): Promise<Violations> {
  const violations: Violations = [];
  const say = (sentence: string) => violations.push(sentence);
  checkAccepted(history, say);
  checkSlots(history, say);
  checkLimit(history, say);
  checkChildren(history, say);
  checkLedger(history, say);
  for (const { execution, taskRuns } of history.executions) {
    checkEnd(execution, say);
    checkTaskRuns(execution, taskRuns, say);
    await checkEvents(execution.id, store, say);
    await checkLogs(execution.id, taskRuns, store, say);
  }
  return violations;
}

/** Counts the log lines of the executions. */
export async function countLines(
  executions: readonly ExecutionWithTaskRuns[],
  store: Store,
): Promise<number> {
  let lines = 0;
  for (const { execution } of executions)
    lines += (await store.listLogs({ executionId: execution.id })).length;
  return lines;
}

type Say = (sentence: string) => void;

function checkAccepted({ executions, accepted }: History, say: Say): void {
  const known = new Set(executions.map(({ execution }) => execution.id));
  for (const [key, id] of accepted.started) if (!known.has(id)) say(`The accepted start ${key} is lost.`);
  const ids = [...accepted.started.values(), ...accepted.hooks];
  if (new Set(ids).size < ids.length) say('Two requests were answered with the same execution.');
  for (const id of accepted.hooks) if (!known.has(id)) say(`The accepted webhook ${id} is lost.`);
  const hooked = executions.filter(({ execution }) => execution.flowId === 'hooked').length;
  if (hooked > accepted.hooks.length + accepted.brokenHooks)
    say(`${hooked} executions of ${accepted.hooks.length} accepted webhooks.`);
}

function checkSlots({ executions }: History, say: Say): void {
  const slots = new Set<string>();
  for (const { execution } of executions) {
    if (execution.flowId !== 'scheduled') continue;
    const date = String(execution.trigger?.variables?.date);
    if (slots.has(date)) say(`The slot ${date} has two executions.`);
    slots.add(date);
  }
}

/** At no time did more executions run than the limit allows. */
function checkLimit({ executions }: History, say: Say): void {
  const changes: { at: number; by: number; id: string }[] = [];
  for (const { execution } of executions) {
    if (execution.flowId !== 'limited') continue;
    const from = execution.state.histories.find(({ state }) => state === 'RUNNING')?.date;
    const to = execution.state.histories.at(-1)?.date;
    if (from !== undefined && to !== undefined)
      changes.push({ at: from, by: 1, id: execution.id }, { at: to, by: -1, id: execution.id });
  }
  changes.sort((a, b) => a.at - b.at || a.by - b.by);
  let running = 0;
  for (const { at, by, id } of changes) {
    running += by;
    if (running > limit)
      say(`${running} ran at ${new Date(at).toISOString()}, at the start of ${id}; ${limit} may.`);
  }
}

/**
 * A subflow call has at most one child per attempt, and a flow trigger fired once for each child that
 * succeeded.
 */
function checkChildren({ executions }: History, say: Say): void {
  const calls = new Map<string, number>();
  const heard = new Map<string, number>();
  const count = (map: Map<string, number>, key: unknown) =>
    map.set(String(key), (map.get(String(key)) ?? 0) + 1);
  for (const { execution } of executions) {
    const { variables } = execution.trigger ?? {};
    if (execution.flowId === 'child') count(calls, variables?.taskRunId);
    if (execution.flowId === 'listener') count(heard, variables?.executionId);
  }
  for (const { execution, taskRuns } of executions) {
    if (execution.flowId === 'parent')
      for (const { id, attempts } of taskRuns) {
        const children = calls.get(id) ?? 0;
        if (children > Math.max(attempts.length, 1)) say(`The call ${id} has ${children} children.`);
      }
    if (execution.flowId !== 'child') continue;
    const times = heard.get(execution.id) ?? 0;
    if (times > 1 || (times === 0 && execution.state.current === 'SUCCESS'))
      say(`The success of the child ${execution.id} was heard of ${times} times.`);
  }
}

/** No attempt ran twice, and every successful attempt did run. */
function checkLedger({ executions, ledger }: History, say: Say): void {
  const ran = new Set<string>();
  const known = new Map(
    executions.flatMap(({ execution, taskRuns }) =>
      taskRuns.map((taskRun) => [taskRun.id, describe(execution, taskRun)] as const),
    ),
  );
  for (const line of ledger) {
    if (ran.has(line)) say(`The attempt "${line}" ran twice (${known.get(line.split(' ')[0] ?? '')}).`);
    ran.add(line);
  }
  for (const { taskRuns } of executions) {
    for (const { id, state, outputs, attempts } of taskRuns) {
      const vars = outputs?.vars;
      const attempt =
        typeof vars === 'object' && vars !== null && 'attempt' in vars ? vars.attempt : undefined;
      if (state.current !== 'SUCCESS' || attempt === undefined) continue;
      if (!ran.has(`${id} ${attempt}`)) say(`The task run ${id} succeeded and never ran.`);
      if (Number(attempt) !== attempts.length - 1)
        say(`The task run ${id} shows the output of a lost attempt.`);
    }
  }
}

const describe = ({ flowId, id }: ExecutionRecord, { taskId, attempts }: TaskRunRecord): string =>
  `${taskId} of ${flowId} ${id}, attempts ${attempts.map(({ state }) => state.current).join(', ')}`;

function checkEnd({ id, flowId, state, closedAt }: ExecutionRecord, say: Say): void {
  if (closedAt === undefined) say(`The execution ${id} of ${flowId} never ended: it is ${state.current}.`);
  const ends = state.histories.filter((history) => isTerminal(history.state));
  if (ends.length !== 1) say(`The execution ${id} ended ${ends.length} times.`);
}

function checkTaskRuns(execution: ExecutionRecord, taskRuns: readonly TaskRunRecord[], say: Say): void {
  const ids = new Set(taskRuns.map(({ id }) => id));
  for (const { id, parentId, state, attempts } of taskRuns) {
    if (parentId !== undefined && !ids.has(parentId)) say(`The task run ${id} has no parent.`);
    if (execution.closedAt !== undefined && !isTerminal(state.current))
      say(`The task run ${id} of ${execution.id} is still ${state.current}.`);
    const live = attempts.filter((attempt) => !isTerminal(attempt.state.current));
    if (live.length > (isTerminal(state.current) ? 0 : 1))
      say(`The task run ${id} has ${live.length} live attempts.`);
  }
}

/** The event log has no gap, and no attempt begins or ends twice in it. */
async function checkEvents(executionId: string, store: Store, say: Say): Promise<void> {
  const rows = await store.listEvents(executionId);
  const seen = new Set<string>();
  for (const [index, { seq, events }] of rows.entries()) {
    if (seq !== index + 1) say(`The event log of ${executionId} goes from ${index} to ${seq}.`);
    // `as`: the engine wrote them.
    for (const event of events as { type: string; taskRunId?: string; attempt?: number }[]) {
      if (event.type !== 'taskStarted' && event.type !== 'taskEnded') continue;
      const key = `${event.type} ${event.taskRunId} ${event.attempt}`;
      if (seen.has(key)) say(`In the execution ${executionId} this happened twice: ${key}.`);
      seen.add(key);
    }
  }
}

/** The lines of one attempt are in the order they were written, each once; an attempt that succeeded has all of them. */
async function checkLogs(
  executionId: string,
  taskRuns: readonly TaskRunRecord[],
  store: Store,
  say: Say,
): Promise<void> {
  const order = ['one', 'two', 'three'];
  const last = new Map<string, number>();
  for (const { taskRunId, attemptNumber, message } of await store.listLogs({ executionId })) {
    if (!order.includes(message)) continue;
    const key = `${taskRunId} ${attemptNumber}`;
    const position = order.indexOf(message);
    if (position <= (last.get(key) ?? -1))
      say(`The lines of ${key} in ${executionId} are doubled or out of order.`);
    last.set(key, position);
  }
  for (const { id, taskId, state, attempts, outputs } of taskRuns) {
    if (state.current !== 'SUCCESS' || !(taskId === 'first' || outputs?.vars)) continue;
    const said = (last.get(`${id} ${attempts.length - 1}`) ?? -1) + 1;
    if (said < order.length)
      say(`The task run ${id} succeeded and has ${said} of its ${order.length} log lines.`);
  }
}
