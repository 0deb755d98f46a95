import { AppError, type Flow, type FlowRecord, mainTenant } from '@millrace/contract';
import { applyDefaults, stripRevision } from '@millrace/engine';
import type { PluginCatalogue } from '@millrace/plugin-kit';
import { Conflict, type FlowKey, type Store } from '@millrace/store';
import { readFlow } from './saveFlow.ts';

/** A text that only some executions run: a revision below zero, which is never the current one. */
export interface RunDraft {
  readonly record: FlowRecord;
  readonly flow: Flow;
  /** Stored already: the last draft has the same text. */
  readonly isStored: boolean;
}

interface Parts {
  readonly store: Store;
  readonly catalogue: PluginCatalogue;
  readonly clock: () => number;
}

/** Reads a text of a flow that exists. `name` says what runs it, for the message. */
export async function readRunDraft(
  { namespace, id }: FlowKey,
  text: string,
  name: string,
  { store, catalogue, clock }: Parts,
): Promise<RunDraft> {
  const { flow, source } = readFlow(text, { catalogue });
  for (const [path, is, was] of [
    ['id', flow.id, id],
    ['namespace', flow.namespace, namespace],
  ] as const) {
    if (is === was) continue;
    const message = `${name} runs the same flow: the ${path} must stay "${was}", but is "${is}"`;
    throw new AppError('invalid-entity', `${path}: ${message}`, { errors: [{ path, message }] });
  }
  const written = stripRevision(source);
  const next = await store.nextDraftRevision(namespace, id);
  const last = next === -1 ? undefined : await store.getFlow(namespace, id, next + 1);
  const isStored = last?.source === written;
  const record: FlowRecord = {
    tenantId: mainTenant,
    namespace,
    id,
    revision: isStored ? next + 1 : next,
    source: written,
    ...(flow.description === undefined ? {} : { description: flow.description }),
    labels: flow.labels ?? [],
    disabled: flow.disabled,
    deleted: false,
    updatedAt: clock(),
  };
  const { tenantId, revision } = record;
  return { record, flow: applyDefaults({ ...flow, tenantId, revision }, { catalogue }), isStored };
}

export async function storeRunDraft({ record, isStored }: RunDraft, { store }: Parts): Promise<void> {
  if (isStored) return;
  try {
    await store.commit([{ op: 'flow.insertDraft', flow: record }]);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    const message = `another edited text of the flow "${record.id}" was started at the same time; start it again`;
    throw new AppError('conflict', message, { cause: error });
  }
}
