import { AppError, type BulkErrorResponse, type BulkResponse, type StateType } from '@millrace/contract';
import type { ExecutionState, Filter, Store } from '@millrace/store';
import { isApplied } from '../executor/isApplied.ts';
import { actOnItems, changedOne } from './longAction.ts';

/** An action on one execution, with its precondition for bulk use. The texts are keys of clients. */
export interface BulkAction {
  readonly refusal: string;
  /** Why the action is refused for an execution in this state; undefined when it is possible. */
  readonly problemOf: (state: StateType) => string | undefined;
  readonly act: (executionId: string) => Promise<unknown>;
  /** Whether an interrupted job has done it. By default the log of the execution tells. */
  readonly wasDone?: (executionId: string, key: string) => Promise<boolean>;
}

export type Selection = { readonly ids: readonly string[] } | { readonly filters: readonly Filter[] };

/** Nothing was done, because at least one of them cannot be acted on. */
export class BulkRefusal extends Error {
  override readonly name = 'BulkRefusal';
  readonly body: BulkErrorResponse;

  constructor(body: BulkErrorResponse) {
    super(body.message);
    this.body = body;
  }
}

/** Concurrent actions share commits; more at once would only delay other requests. */
const atOnce = 50;
const pageSize = 1_000;
/** Filters that match more executions than this are likely a mistake. */
const maxItems = 100_000;

/**
 * Applies an action to many executions: all are checked first, and if one is refused nothing is changed.
 * Executions that end or disappear after the check are skipped and not counted.
 */
export async function actOnMany(
  selection: Selection,
  { refusal, problemOf, act, wasDone }: BulkAction,
  parts: { readonly store: Store },
): Promise<BulkResponse> {
  const count = await actOnItems<string>({
    choose: async () => {
      const { found, missing } = await choose(selection, parts);
      const invalids = [
        ...missing.map((id) => ({ message: 'execution not found', invalidValue: id })),
        ...found.flatMap(({ id, state }) => {
          const message = problemOf(state);
          return message === undefined ? [] : [{ message, invalidValue: id }];
        }),
      ];
      if (invalids.length > 0) throw new BulkRefusal({ message: refusal, invalids });
      return found.map(({ id }) => id);
    },
    act: (id) => changedOne(() => act(id)),
    wasDone: wasDone ?? ((id, key) => isApplied(id, key, parts)),
    nameOf: (id) => id,
    atOnce,
  });
  return { count, totalItems: count };
}

interface Chosen {
  readonly found: readonly ExecutionState[];
  readonly missing: readonly string[];
}

async function choose(selection: Selection, { store }: { readonly store: Store }): Promise<Chosen> {
  if ('ids' in selection) {
    const ids = [...new Set(selection.ids)];
    const states = new Map((await store.listStates(ids)).map((entry) => [entry.id, entry]));
    return {
      found: ids.flatMap((id) => states.get(id) ?? []),
      missing: ids.filter((id) => !states.has(id)),
    };
  }
  const found: ExecutionState[] = [];
  for (let after = 0; ; ) {
    const page = await store.matchStates(selection.filters, after, pageSize);
    found.push(...page);
    if (found.length > maxItems) {
      throw new AppError(
        'illegal-argument',
        `more than ${maxItems} executions match; narrow the filters, for example by date`,
      );
    }
    after = page.at(-1)?.seq ?? after;
    if (page.length < pageSize) return { found, missing: [] };
  }
}
