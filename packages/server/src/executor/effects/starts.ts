import { type ExecutionRecord, type Flow, playgroundKind } from '@millrace/contract';
import type { FlowKey } from '@millrace/store';
import type { Background } from '../../background.ts';
import type { ExecutorParts } from '../executorParts.ts';
import type { ExecutorPort } from '../executorPort.ts';

type Parts = Pick<ExecutorParts, 'store' | 'flows' | 'admission' | 'controls'>;

const pageSize = 1_000;

/** Starts executions as the concurrency limits of their flows allow. */
export class Starts {
  readonly #parts: Parts;
  readonly #executor: ExecutorPort;
  readonly #background: Background;
  /** Scheduled executions whose date came during maintenance. */
  readonly #held = new Set<string>();

  constructor(parts: Parts, executor: ExecutorPort, background: Background) {
    this.#parts = parts;
    this.#executor = executor;
    this.#background = background;
  }

  /** Starts executions that wait when a saved flow raises or removes its limit. Returns a function that unsubscribes. */
  followLimits(): () => void {
    const { store, admission } = this.#parts;
    return store.onChange(({ flows }) => {
      for (const { namespace, id } of flows)
        this.#background.run(`start executions that wait for ${namespace}/${id}`, undefined, async () =>
          this.#startAll(await admission.fill({ namespace, id })),
        );
    });
  }

  /** Starts the execution, queues it, or ends it as the flow's limit says. The playground has no limits. */
  request(flow: Flow, execution: ExecutionRecord): void {
    const isFree = execution.kind === playgroundKind || this.#parts.flows.isUnlimited(flow);
    if (isFree) this.#executor.notify(execution.id, { type: 'start' });
    else this.#background.run('admit an execution', execution.id, () => this.#admit(flow, execution));
  }

  /** The date of a scheduled execution has come; the limit is checked only now. */
  requestScheduled(executionId: string): void {
    if (this.#parts.controls?.areStartsHeld) {
      this.#held.add(executionId);
      return;
    }
    this.#background.run('start a scheduled execution', executionId, async () => {
      const execution = await this.#parts.store.getExecutionRecord(executionId);
      if (execution?.state.current !== 'CREATED') return;
      const { namespace, flowId, flowRevision } = execution;
      const found = await this.#parts.flows.find(namespace, flowId, flowRevision);
      if (found) this.request(found.flow, execution);
    });
  }

  /** Starts the executions that waited for the end of maintenance. */
  resume(): void {
    const held = [...this.#held];
    this.#held.clear();
    for (const executionId of held) this.requestScheduled(executionId);
    this.#background.run('start executions that waited for the end of maintenance', undefined, () =>
      this.#fillAll(),
    );
  }

  async #fillAll(): Promise<void> {
    const { store, admission } = this.#parts;
    const flows = new Map<string, FlowKey>();
    for (let page = 1; ; page++) {
      const { results } = await store.listExecutions({
        page,
        size: pageSize,
        sort: [{ field: 'state.startDate', descending: false }],
        filters: [{ field: 'state', operation: 'EQUALS', value: 'QUEUED' }],
      });
      for (const { execution } of results)
        flows.set(`${execution.namespace}/${execution.flowId}`, {
          namespace: execution.namespace,
          id: execution.flowId,
        });
      if (results.length < pageSize) break;
    }
    for (const flow of flows.values()) this.#startAll(await admission.fill(flow));
  }

  /** Releases the slot of an execution that ended and starts the next ones in the queue. */
  release(flow: FlowKey, executionId: string): void {
    this.#background.run('start the next execution in line', executionId, async () =>
      this.#startAll(await this.#parts.admission.release(flow, executionId)),
    );
  }

  async #admit(flow: Flow, execution: ExecutionRecord): Promise<void> {
    const { admission } = this.#parts;
    const verdict = await admission.admit(flow, execution.id);
    if (verdict.type === 'start' || execution.state.current === 'CREATED')
      this.#executor.notify(execution.id, verdict);
    // After a restart more slots can be free than the earlier process had filled.
    this.#startAll(await admission.fill(flow));
  }

  #startAll(executionIds: readonly string[]): void {
    for (const id of executionIds) this.#executor.notify(id, { type: 'start' });
  }
}
