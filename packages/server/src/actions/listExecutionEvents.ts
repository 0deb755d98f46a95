import { AppError, type EventKind, type ExecutionEvent } from '@millrace/contract';
import { presentCreation, presentEvent, type RecordedEvent, taskRunOf } from '@millrace/engine';
import type { Store } from '@millrace/store';
import { entriesOf } from '../executor/recordedEntries.ts';
import { findExecutionRecord } from './findExecution.ts';

export interface EventsRequest {
  /** The id of the last event that the caller has. */
  readonly after?: string | undefined;
  readonly size: number;
  readonly taskRunId?: string | undefined;
  readonly kinds?: readonly EventKind[] | undefined;
}

export interface EventsPage {
  readonly results: ExecutionEvent[];
  /** Where the next page begins; absent at the end of the record. */
  readonly next?: string;
}

/** Rows of one read: each holds the events of one commit. */
const rowsAtOnce = 50;
/** A filter that matches little reads no more rows than this for one page. */
const maxRows = 5_000;

interface Position {
  readonly seq: number;
  readonly index: number;
}

interface Found extends Position {
  readonly entry: RecordedEvent;
  readonly at: number;
}

/** One page of the record of an execution, oldest first. */
export async function listExecutionEvents(
  executionId: string,
  request: EventsRequest,
  { store }: { readonly store: Store },
): Promise<EventsPage> {
  const execution = await findExecutionRecord({ store }, executionId);
  const created = presentCreation(execution);
  const after = request.after === undefined ? undefined : readPosition(request.after);
  const isFirst = after === undefined && request.taskRunId === undefined && isOfKind('created', request);
  const { found, next } = await findEvents(executionId, after, request, store);
  const ids = [...new Set(found.flatMap(({ entry }) => taskRunOf(entry) ?? []))];
  const taskRuns = new Map((await store.listTaskRuns(executionId, ids)).map((run) => [run.id, run]));
  const events = found.map(({ entry, at, ...position }) =>
    presentEvent(entry, { id: writePosition(position), at }, taskRuns.get(taskRunOf(entry) ?? '')),
  );
  return { results: isFirst ? [created, ...events] : events, ...(next ? { next: writePosition(next) } : {}) };
}

async function findEvents(
  executionId: string,
  after: Position | undefined,
  request: EventsRequest,
  store: Store,
): Promise<{ readonly found: readonly Found[]; readonly next?: Position }> {
  const found: Found[] = [];
  const mentions = mentionsOf(request);
  let last: Position | undefined;
  for (let from = after?.seq ?? 0, rows = 0; rows < maxRows; rows += rowsAtOnce) {
    const page = await store.listEvents(executionId, {
      from,
      limit: rowsAtOnce,
      ...(mentions ? { mentions } : {}),
    });
    for (const entry of page.flatMap(entriesOf)) {
      if (after && !isAfter(entry, after)) continue;
      if (found.length === request.size && last) return { found, next: last };
      last = { seq: entry.seq, index: entry.index };
      if (isWanted(entry.entry, request)) found.push(entry);
    }
    if (page.length < rowsAtOnce) return { found };
    from = page.at(-1)!.seq + 1;
  }
  return { found, ...(last ? { next: last } : {}) };
}

const isWanted = (entry: RecordedEvent, request: EventsRequest): boolean =>
  isOfKind(entry.type, request) &&
  (request.taskRunId === undefined || taskRunOf(entry) === request.taskRunId);

const isOfKind = (kind: EventKind, { kinds }: EventsRequest): boolean => !kinds || kinds.includes(kind);

/** Texts that a row with a wanted event contains. */
function mentionsOf({ taskRunId, kinds }: EventsRequest): readonly string[] | undefined {
  if (taskRunId !== undefined) return [JSON.stringify(taskRunId)];
  return kinds?.map((kind) => `"type":"${kind}"`);
}

const isAfter = (entry: Position, { seq, index }: Position): boolean =>
  entry.seq > seq || (entry.seq === seq && entry.index > index);

const writePosition = ({ seq, index }: Position): string => `${seq}-${index}`;

function readPosition(text: string): Position {
  const [, seq, index] = /^(\d{1,9})-(\d{1,9})$/.exec(text) ?? [];
  if (seq === undefined || index === undefined)
    throw new AppError(
      'illegal-argument',
      `"after" must be the id of an event such as "12-3", got "${text}"`,
    );
  return { seq: Number(seq), index: Number(index) };
}
