import type { Input } from '@millrace/contract';
import type { TaskFixture } from '@millrace/engine/dry-run';

/** Where the outputs of tasks come from that a dry run cannot compute. */
export type OutputsFrom = 'generated' | 'execution';

/** The user's choices for the dry run of one flow. */
export interface Choices {
  readonly from: OutputsFrom;
  readonly inputs: Readonly<Record<string, string>>;
  readonly branches: Readonly<Record<string, string>>;
  readonly failing: readonly string[];
  /** The JSON of pinned outputs by task. */
  readonly pinned: Readonly<Record<string, string>>;
}

export const noChoices: Choices = { from: 'execution', inputs: {}, branches: {}, failing: [], pinned: {} };

export const isChosen = ({ inputs, branches, failing, pinned }: Choices): boolean =>
  failing.length > 0 ||
  [inputs, branches, pinned].some((map) => Object.values(map).some((value) => value !== ''));

const kept = new Map<string, Choices>();

/** The choices stay while the app is open, also when the panel is closed between. */
export const readChoices = (flow: string): Choices => kept.get(flow) ?? noChoices;

export function keepChoices(flow: string, choices: Choices): void {
  if (kept.size > 100) kept.clear();
  kept.set(flow, choices);
}

/** Pinned outputs first, then failures, then the outputs of the last execution. */
export function fixturesOf(choices: Choices, copied: readonly TaskFixture[]): TaskFixture[] {
  const pinned = Object.entries(choices.pinned).flatMap(([id, text]): TaskFixture[] => {
    const outputs = readMap(text);
    return outputs ? [{ id, outputs, from: 'user' }] : [];
  });
  const failing = choices.failing.map((id): TaskFixture => ({ id, state: 'FAILED', from: 'user' }));
  const own = new Set([...pinned, ...failing].map(({ id }) => id));
  return [
    ...failing,
    ...pinned.filter(({ id }) => !choices.failing.includes(id)),
    ...(choices.from === 'execution' ? copied.filter(({ id }) => !own.has(id)) : []),
  ];
}

/** The map that a JSON text describes; undefined for anything else. */
export function readMap(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isMap ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The values that an input can have; nothing when any text will do, or an expression makes the list. */
export function optionsOf({ type, values, options, allowCustomValue }: Input): string[] | undefined {
  if (type === 'BOOL' || type === 'BOOLEAN') return ['true', 'false'];
  const listed = values ?? options;
  if ((type !== 'SELECT' && type !== 'ENUM') || allowCustomValue === true || !Array.isArray(listed))
    return undefined;
  return listed.map(String);
}
