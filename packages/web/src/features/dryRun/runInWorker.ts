import type { Execution, Input, StateType } from '@millrace/contract';
import { allTasks, childLists, controlTypeOf, type ParsedFlow, parseFlow } from '@millrace/engine';
import {
  type Assumption,
  type DryTaskRun,
  dryRun,
  type OutputSource,
  type RenderedProperty,
  type TaskFixture,
  type TaskTypeFacts,
} from '@millrace/engine/dry-run';
import type { LineNote } from '../../ui/code/index.ts';
import { optionsOf } from './choices.ts';

/** One order to the worker. */
export interface DryRunRequest {
  readonly id: number;
  readonly source: string;
  readonly types: readonly (TaskTypeFacts & { readonly names: readonly string[] })[];
  readonly now: number;
  readonly inputs: Readonly<Record<string, string>>;
  readonly tasks: readonly TaskFixture[];
  readonly branches: Readonly<Record<string, string>>;
}

export interface ShownTask {
  readonly id: string;
  readonly type: string;
  readonly state?: StateType;
  /** How often it ran. */
  readonly runs: number;
  readonly source?: OutputSource;
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly properties: readonly RenderedProperty[];
  readonly logs: readonly string[];
  /** The branches that it can be made to take. */
  readonly branches: readonly string[];
  /** It can be made to fail, and its outputs can be pinned. */
  readonly canFix: boolean;
  readonly line?: number;
}

export interface ShownProblem {
  readonly taskId?: string;
  readonly line?: number;
  readonly message: string;
  readonly isUndefined: boolean;
  readonly isAssumed: boolean;
}

export interface ShownInput {
  readonly id: string;
  readonly type: string;
  readonly defaults?: string;
  /** What the input can be, when that is known. */
  readonly options?: readonly string[];
}

/** The result as the editor shows it; plain data, because it crosses from the worker. */
export interface DryRunShown {
  readonly id: number;
  readonly execution: Execution;
  readonly tasks: readonly ShownTask[];
  readonly problems: readonly ShownProblem[];
  readonly assumptions: readonly Assumption[];
  readonly inputs: readonly ShownInput[];
  readonly inputErrors: readonly string[];
  readonly notes: readonly LineNote[];
  readonly stopped?: string;
  readonly tookMs: number;
}

export type DryRunReply = DryRunShown | { readonly id: number; readonly unreadable: string };

const maxNoteCharacters = 60;
const maxTaskRuns = 1_000;
const maxShownLogs = 20;

/** Reads the text, runs it dry and prepares everything that is shown, away from the thread that draws. */
export async function runRequest(request: DryRunRequest, clock: () => number): Promise<DryRunReply> {
  const begunAt = clock();
  const parsed = parseFlow(request.source);
  const { flow, issues } = parsed;
  const broken = issues.find(({ severity }) => severity === 'error');
  if (!flow || broken) return { id: request.id, unreadable: broken?.message ?? '' };
  const types = new Map(request.types.flatMap((facts) => facts.names.map((name) => [name, facts] as const)));
  const result = await dryRun(flow, {
    types: { find: (type) => types.get(type) },
    now: request.now,
    inputs: Object.fromEntries(Object.entries(request.inputs).filter(([, text]) => text !== '')),
    generatesInputs: true,
    tasks: request.tasks,
    branches: request.branches,
    clock,
    limits: { taskRuns: maxTaskRuns, realMs: 1_500 },
  });
  const byTask = new Map<string, DryTaskRun[]>();
  for (const run of result.taskRuns) {
    const known = byTask.get(run.taskId);
    if (known) known.push(run);
    else byTask.set(run.taskId, [run]);
  }
  const logs = new Map<string, string[]>();
  for (const { taskId = '', message } of result.logs) {
    const known = logs.get(taskId);
    if (!known) logs.set(taskId, [message]);
    else if (known.length < maxShownLogs) known.push(message);
  }
  const tasks = allTasks(flow).map((task): ShownTask => {
    const runs = byTask.get(task.id) ?? [];
    const last = runs.at(-1);
    const control = controlTypeOf(task.type);
    const line = lineOfTask(parsed, runs);
    return {
      id: task.id,
      type: task.type,
      runs: runs.length,
      properties: last?.properties ?? [],
      logs: logs.get(task.id) ?? [],
      branches: branchesOf(
        control,
        childLists(task).map(({ branch }) => branch),
        task.runIf !== undefined,
      ),
      canFix: control === undefined || control === 'core.flow.Subflow',
      ...(last ? { state: worstOf(runs) } : {}),
      ...(last?.source ? { source: last.source } : {}),
      ...(last?.outputs ? { outputs: last.outputs } : {}),
      ...(line === undefined ? {} : { line }),
    };
  });
  return {
    id: request.id,
    execution: result.execution,
    tasks,
    problems: problemsOf(parsed, result.taskRuns, result.properties),
    assumptions: result.assumptions,
    inputs: (flow.inputs ?? []).map(inputOf),
    inputErrors: result.inputErrors,
    notes: notesOf(parsed, [...result.taskRuns.flatMap((run) => run.properties), ...result.properties]),
    ...(result.stopped === undefined ? {} : { stopped: result.stopped }),
    tookMs: clock() - begunAt,
  };
}

function inputOf(input: Input): ShownInput {
  const { id, type, defaults } = input;
  const options = optionsOf(input);
  return {
    id,
    type,
    ...(defaults === undefined || defaults === null
      ? {}
      : { defaults: typeof defaults === 'object' ? JSON.stringify(defaults) : String(defaults) }),
    ...(options && { options }),
  };
}

function branchesOf(
  control: ReturnType<typeof controlTypeOf>,
  lists: readonly string[],
  isConditional: boolean,
): readonly string[] {
  const own =
    control === 'core.flow.If'
      ? ['then', 'else']
      : control === 'core.flow.Switch'
        ? lists
            .filter((branch) => branch.startsWith('cases.') || branch === 'defaults')
            .map((branch) => branch.replace(/^cases\./, ''))
        : [];
  return isConditional ? [...own, 'run', 'skip'] : own;
}

const rank: readonly StateType[] = [
  'FAILED',
  'KILLED',
  'CANCELLED',
  'WARNING',
  'RETRYING',
  'PAUSED',
  'RUNNING',
];

function worstOf(runs: readonly DryTaskRun[]): StateType {
  const states = runs.map(({ state }) => state);
  return rank.find((state) => states.includes(state)) ?? states.at(-1) ?? 'CREATED';
}

function lineOfTask(parsed: ParsedFlow, runs: readonly DryTaskRun[]): number | undefined {
  const path = runs[0]?.properties[0]?.path;
  return path === undefined ? undefined : parsed.markOf(path)?.start.line;
}

function problemsOf(
  parsed: ParsedFlow,
  runs: readonly DryTaskRun[],
  own: readonly RenderedProperty[],
): ShownProblem[] {
  const seen = new Set<string>();
  const toProblem = (property: RenderedProperty, taskId?: string): ShownProblem[] => {
    if (property.error === undefined || seen.has(property.path)) return [];
    seen.add(property.path);
    const line = parsed.markOf(property.path)?.start.line;
    return [
      {
        message: withoutPlace(property.error),
        isUndefined: property.isUndefined ?? false,
        isAssumed: property.isAssumed ?? false,
        ...(taskId === undefined ? {} : { taskId }),
        ...(line === undefined ? {} : { line }),
      },
    ];
  };
  return [
    ...runs.flatMap(({ taskId, properties }) =>
      properties.flatMap((property) => toProblem(property, taskId)),
    ),
    ...own.flatMap((property) => toProblem(property)),
  ];
}

/** The rendered values per line: one note each, for the first run of a property, with the number of the others. */
export function notesOf(parsed: ParsedFlow, properties: readonly RenderedProperty[]): LineNote[] {
  const byPath = new Map<string, { first: RenderedProperty; count: number }>();
  for (const property of properties) {
    const known = byPath.get(property.path);
    if (known) known.count++;
    else byPath.set(property.path, { first: property, count: 1 });
  }
  const byLine = new Map<number, LineNote>();
  for (const [path, { first, count }] of byPath) {
    const line = parsed.rangeOf(path)?.start.line;
    if (line === undefined) continue;
    const text = noteText(first, count);
    const tone = first.isAssumed ? 'assumed' : first.error !== undefined ? 'error' : 'value';
    const known = byLine.get(line);
    byLine.set(
      line,
      known
        ? { line, text: `${known.text} · ${text}`, tone: known.tone === 'error' ? 'error' : tone }
        : { line, text, tone },
    );
  }
  return [...byLine.values()];
}

function noteText({ value, error }: RenderedProperty, count: number): string {
  const flat = (error === undefined ? (value ?? '') : withoutPlace(error)).replace(/\s+/g, ' ').trim();
  const cut = flat.length > maxNoteCharacters ? `${flat.slice(0, maxNoteCharacters)}…` : flat;
  const shown = cut === '' ? '""' : cut;
  return count > 1 ? `${shown} (×${count})` : shown;
}

/** The error without the expression and its line, which stand beside it. */
const withoutPlace = (error: string): string => error.replace(/ used in the expression `[\s\S]*$/, '');
