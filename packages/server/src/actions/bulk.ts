import { AppError, type BulkErrorResponse, type BulkResponse, type StateType } from '@millrace/contract';
import type { ExecutionState, Filter, Store } from '@millrace/store';
import { reportProgress } from './progress.ts';

/** An action on one execution, with its precondition for bulk use. The texts are keys of clients. */
export interface BulkAction {
  readonly refusal: string;
  /** Why the action is refused for an execution in this state; undefined when it is possible. */
  readonly problemOf: (state: StateType) => string | undefined;
  readonly act: (executionId: string) => Promise<unknown>;
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
  action: BulkAction,
  parts: { readonly store: Store },
): Promise<BulkResponse> {
  const { found, missing } = await choose(selection, parts);
  const invalids = [
    ...missing.map((id) => ({ message: 'execution not found', invalidValue: id })),
    ...found.flatMap(({ id, state }) => {
      const message = action.problemOf(state);
      return message === undefined ? [] : [{ message, invalidValue: id }];
    }),
  ];
  if (invalids.length > 0) throw new BulkRefusal({ message: action.refusal, invalids });
  let count = 0;
  for (let start = 0; start < found.length; start += atOnce) {
    reportProgress(start, found.length, () => found.slice(start).map(({ id }) => id));
    const done = await Promise.all(found.slice(start, start + atOnce).map(({ id }) => tryOne(id, action)));
    count += done.filter(Boolean).length;
  }
  reportProgress(found.length, found.length);
  return { count, totalItems: count };
}

async function tryOne(id: string, { act }: BulkAction): Promise<boolean> {
  try {
    await act(id);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code !== 'unavailable') return false;
    throw error;
  }
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
