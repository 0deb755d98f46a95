import { z } from 'zod';
import type { TriggerContext } from './definition.ts';
import { choice, duration, text } from './dynamic.ts';
import { messageOf } from './failure.ts';

/** Properties of a polling trigger that remembers which items it has seen. */
export const triggerStateProperties = {
  on: choice(['CREATE', 'UPDATE', 'CREATE_OR_UPDATE'])
    .default('CREATE_OR_UPDATE')
    .describe('Which items start an execution: new ones, changed ones, or both.'),
  stateKey: text()
    .optional()
    .describe(
      'The key of the key-value store that remembers the items; `<namespace>_<flow>_<trigger>` when absent. Triggers with the same key share what they saw.',
    ),
  stateTtl: duration()
    .optional()
    .describe(
      'An item that was not seen for this long is forgotten; without it, items are remembered forever.',
    ),
};

export interface TriggerStateInput {
  readonly on: 'CREATE' | 'UPDATE' | 'CREATE_OR_UPDATE';
  readonly stateKey?: string | undefined;
  readonly stateTtl?: number | undefined;
}

export interface Candidate {
  /** Names the item at its source. */
  readonly uri: string;
  /** Differs when the item has changed, for example date and size. */
  readonly version: string;
  readonly modifiedAt?: Date | undefined;
}

export type ChangeType = 'CREATE' | 'UPDATE';

export interface Change<C extends Candidate> {
  readonly candidate: C;
  readonly changeType: ChangeType;
}

const Entry = z.looseObject({
  uri: z.string(),
  version: z.string(),
  modifiedAt: z.string().nullish(),
  lastSeenAt: z.string(),
  /** The execution that the item was meant for, until a later poll has seen it. */
  executionId: z.string().optional(),
});
type Entry = z.infer<typeof Entry>;

type StateContext = Pick<TriggerContext, 'run' | 'kv' | 'log' | 'actions'>;

/**
 * The items a trigger has seen, kept in the key-value store of the flow's namespace. Call `changes` with all
 * current items, do the work, and call `save` at the end of the poll: a failed poll leaves the state
 * unchanged. An item counts as seen only when its execution was stored, so a server that crashes between `save`
 * and the commit of the execution loses no item.
 */
export async function openTriggerState(
  context: StateContext,
  input: TriggerStateInput,
  now: () => number = Date.now,
): Promise<TriggerState> {
  const key = input.stateKey ?? defaultKey(context.run);
  const entries = await readEntries(context, key);
  const ttl = input.stateTtl;
  const alive = entries.filter(
    ({ lastSeenAt }) => ttl === undefined || Date.parse(lastSeenAt) + ttl >= now(),
  );
  const confirmed = await confirm(context, alive);
  return new TriggerState(context, { ...input, key }, confirmed, now);
}

const defaultKey = ({ namespace, flowId, taskId }: TriggerContext['run']): string =>
  `${namespace}_${flowId}_${taskId}`;

export class TriggerState {
  readonly #context: StateContext;
  readonly #input: TriggerStateInput & { readonly key: string };
  readonly #entries: Map<string, Entry>;
  readonly #now: () => number;

  constructor(
    context: StateContext,
    input: TriggerStateInput & { readonly key: string },
    entries: readonly Entry[],
    now: () => number,
  ) {
    this.#context = context;
    this.#input = input;
    this.#entries = new Map(entries.map((entry) => [entry.uri, entry]));
    this.#now = now;
  }

  /** The first items that start an execution, at most `limit`; the others remain for the next poll. */
  changes<C extends Candidate>(candidates: Iterable<C>, limit = Number.POSITIVE_INFINITY): Change<C>[] {
    const { on } = this.#input;
    const lastSeenAt = new Date(this.#now()).toISOString();
    const found: Change<C>[] = [];
    for (const candidate of candidates) {
      const { uri, version } = candidate;
      const before = this.#entries.get(uri);
      if (before && before.version === version) {
        this.#entries.set(uri, { ...before, lastSeenAt });
        continue;
      }
      const changeType = before ? 'UPDATE' : 'CREATE';
      const fires = on === 'CREATE_OR_UPDATE' || on === changeType;
      if (fires && found.length >= limit) continue;
      const modifiedAt = candidate.modifiedAt?.toISOString() ?? null;
      const { executionId } = this.#context.run;
      this.#entries.set(uri, { uri, version, modifiedAt, lastSeenAt, ...(fires && { executionId }) });
      if (fires) found.push({ candidate, changeType });
    }
    return found;
  }

  /** A state that cannot be stored is only logged: the trigger then fires again for the same items. */
  async save(): Promise<void> {
    const { key, stateTtl: ttlMs } = this.#input;
    const { namespace } = this.#context.run;
    try {
      await this.#context.kv.set(key, [...this.#entries.values()], {
        namespace,
        overwrite: true,
        type: 'JSON',
        description: 'Items that a trigger has seen.',
        ...(ttlMs !== undefined && { ttlMs }),
      });
    } catch (error) {
      await this.#context.log('WARN', `The trigger state "${key}" was not stored: ${messageOf(error)}`);
    }
  }
}

async function readEntries(context: StateContext, key: string): Promise<readonly Entry[]> {
  try {
    const stored = await context.kv.get(key, context.run.namespace);
    const value: unknown = typeof stored === 'string' ? JSON.parse(stored) : stored;
    return value === undefined || value === null ? [] : z.array(Entry).parse(value);
  } catch (error) {
    await context.log('WARN', `The trigger state "${key}" cannot be read: ${messageOf(error)}`);
    return [];
  }
}

/** Drops entries whose execution was never stored: they started nothing, so their items are new again. */
async function confirm({ actions, log }: StateContext, entries: readonly Entry[]): Promise<readonly Entry[]> {
  const ids = new Set(entries.flatMap(({ executionId }) => executionId ?? []));
  const lost = new Set<string>();
  for (const id of ids) if (!(await actions.hasExecution(id))) lost.add(id);
  if (lost.size > 0) await log('DEBUG', 'Items whose execution was not stored are found again.');
  return entries
    .filter(({ executionId }) => executionId === undefined || !lost.has(executionId))
    .map(({ executionId: _, ...entry }) => entry);
}
