import { AppError, type BulkErrorResponse, type BulkResponse, type StateType } from '@millrace/contract';
import type { ExecutionState, Filter } from '@millrace/store';
import type { Product } from '../product.ts';
import { reportProgress } from './progress.ts';

/** An action on one execution, with what must hold of each before it is done to many. The words are clients' keys. */
export interface BulkAction {
  readonly refusal: string;
  /** What is wrong with an execution in this state; undefined when the action is possible. */
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

/** Commits are shared by those that come together; more at once would only hold up everybody else. */
const atOnce = 50;
const pageSize = 1_000;
/** Filters that match more than this are a mistake more often than a wish. */
const maxItems = 100_000;

/**
 * Does something to many executions: all are checked first, and when one cannot be acted on nothing is done. What ends
 * or vanishes between the check and its turn is passed over and not counted.
 */
export async function actOnMany(
  selection: Selection,
  action: BulkAction,
  parts: Pick<Product, 'store'>,
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

async function choose(selection: Selection, { store }: Pick<Product, 'store'>): Promise<Chosen> {
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
