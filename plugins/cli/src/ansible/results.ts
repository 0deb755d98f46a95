import type { DynamicTaskRun } from '@millrace/plugin-kit';
import { z } from 'zod';

const hostResult = z.object({
  host: z.string().describe('The host.'),
  status: z.string().describe('How it ended there: ok, changed, failed, ignored, skipped or unreachable.'),
  result: z.unknown().describe('What the task returned there.'),
});
const taskOutput = z.object({
  uid: z.string().describe('The id of the task.'),
  name: z.string().describe('Its name.'),
  startedAt: z.string().describe('When it started.'),
  endedAt: z.string().describe('When it ended on the last host.'),
  hosts: z.array(hostResult).describe('What it did on each host.'),
});
export const playbookOutput = z.object({
  plays: z
    .array(
      z.object({
        name: z.string().describe('The name of the play.'),
        tasks: z.array(taskOutput).describe('Its tasks.'),
      }),
    )
    .describe('The plays.'),
});
type TaskOutput = z.infer<typeof taskOutput>;
export type PlaybookOutput = z.infer<typeof playbookOutput>;

const at = z.string();
const Event = z.discriminatedUnion('event', [
  z.object({ event: z.literal('playbook'), at }),
  z.object({ event: z.literal('play'), at, name: z.string() }),
  z.object({ event: z.literal('task'), at, uid: z.string(), name: z.string() }),
  z.object({
    event: z.literal('host'),
    at,
    uid: z.string(),
    name: z.string(),
    host: z.string(),
    status: z.string(),
    result: z.unknown(),
  }),
  z.object({ event: z.literal('stats'), at, custom: z.record(z.string(), z.unknown()) }),
]);

export interface AnsibleResults {
  readonly playbooks: readonly PlaybookOutput[];
  /** The results of every task on every host, in the order they finished. */
  readonly all: readonly unknown[];
  /** The values that `set_stats` set. */
  readonly explicit: Readonly<Record<string, unknown>>;
}

/** Reads the lines of the callback plugin. */
export function readAnsibleResults(lines: string): AnsibleResults {
  const playbooks: PlaybookOutput[] = [];
  const all: unknown[] = [];
  const explicit: Record<string, unknown> = {};
  const playOf = () => {
    const playbook = playbooks.at(-1) ?? add(playbooks, { plays: [] });
    return playbook.plays.at(-1) ?? add(playbook.plays, { name: '', tasks: [] });
  };
  const taskOf = (uid: string, name: string, time: string): TaskOutput =>
    playOf().tasks.findLast((task) => task.uid === uid) ??
    add(playOf().tasks, { uid, name, startedAt: time, endedAt: time, hosts: [] });
  for (const line of lines.split('\n')) {
    const { data: event } = Event.safeParse(parse(line));
    if (event?.event === 'playbook') playbooks.push({ plays: [] });
    else if (event?.event === 'play') {
      const playbook = playbooks.at(-1) ?? add(playbooks, { plays: [] });
      playbook.plays.push({ name: event.name, tasks: [] });
    } else if (event?.event === 'task') taskOf(event.uid, event.name, event.at);
    else if (event?.event === 'stats') Object.assign(explicit, event.custom);
    else if (event?.event === 'host') {
      const task = taskOf(event.uid, event.name, event.at);
      task.endedAt = event.at;
      task.hosts.push({ host: event.host, status: event.status, result: event.result });
      all.push(event.result);
    }
  }
  return { playbooks, all, explicit };
}

function add<T>(list: T[], item: T): T {
  list.push(item);
  return item;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Every task of the plays as a child task run; a failure on one host fails it. */
export const toTaskRuns = (playbooks: readonly PlaybookOutput[]): DynamicTaskRun[] =>
  playbooks
    .flatMap(({ plays }) => plays.flatMap(({ tasks }) => tasks))
    .map(({ name, startedAt, endedAt, hosts }) => ({
      taskId: name,
      state: stateOf(hosts.map(({ status }) => status)),
      startedAt: Date.parse(startedAt),
      endedAt: Date.parse(endedAt),
    }));

function stateOf(statuses: readonly string[]): DynamicTaskRun['state'] {
  if (statuses.some((status) => status === 'failed' || status === 'unreachable')) return 'FAILED';
  if (statuses.includes('ignored')) return 'WARNING';
  return statuses.every((status) => status === 'skipped') ? 'SKIPPED' : 'SUCCESS';
}
