import { setTimeout as wait } from 'node:timers/promises';
import { AppError, isTerminal, type StateType } from '@millrace/contract';
import type { Store } from '@millrace/store';
import { findWebhook, fireWebhook } from '../../../packages/server/src/actions/fireWebhook.ts';
import { killExecution } from '../../../packages/server/src/actions/killExecution.ts';
import { resumeExecution } from '../../../packages/server/src/actions/resumeExecution.ts';
import { importFlow } from '../../../packages/server/src/actions/saveFlow.ts';
import { startExecution } from '../../../packages/server/src/actions/startExecution.ts';
import type { OpenProduct } from '../../../packages/server/src/openProduct.ts';
import type { Accepted } from '../drive.ts';
import { namespace, webhookKey } from '../flows.ts';

/** The offset of the servers' clocks from real time. */
export interface Time {
  aheadMs: number;
}

/** One lifetime of a server between two crashes, from the view of its client. */
export class Life {
  readonly #product: OpenProduct;
  /** Direct access to the store: reads of the test must not count as calls of the server. */
  readonly #rows: Store;
  readonly #accepted: Accepted;
  readonly #time: Time;

  constructor(product: OpenProduct, rows: Store, accepted: Accepted, time: Time) {
    this.#product = product;
    this.#rows = rows;
    this.#accepted = accepted;
    this.#time = time;
  }

  async save(source: string): Promise<void> {
    await importFlow(source, this.#product);
  }

  async start(flowId: string, key: string): Promise<string> {
    const request = { namespace, id: flowId, inputs: {}, labels: [], idempotencyKey: key };
    const { id } = await startExecution(request, this.#product);
    this.#note(`${flowId}/${key}`, id);
    return id;
  }

  async callHook(flowId: string, key: string): Promise<void> {
    const webhook = await findWebhook({ namespace, id: flowId, key: webhookKey }, this.#product);
    if (!webhook) throw new Error(`There is no webhook in ${flowId}.`);
    const call = { body: '', headers: {}, parameters: {}, idempotencyKey: key };
    const fired = await fireWebhook(webhook, call, this.#product);
    const { hooks } = this.#accepted;
    if (fired && 'execution' in fired && !hooks.includes(fired.execution.id)) hooks.push(fired.execution.id);
  }

  async resume(id: string): Promise<void> {
    await this.#untilState(id, (state) => state === 'PAUSED' || isTerminal(state));
    await unlessLate(resumeExecution(id, {}, this.#product));
  }

  async kill(id: string): Promise<void> {
    await this.#until(async () => {
      const found = await this.#rows.getExecution(id);
      return found?.taskRuns.some(({ state }) => state.current !== 'CREATED') ?? false;
    });
    await unlessLate(killExecution(id, true, this.#product));
  }

  /** Moves the clock to the next date of a yearly schedule, once. */
  async goToNextYear(): Promise<void> {
    if (this.#time.aheadMs === 0) {
      const next = Date.UTC(new Date().getUTCFullYear() + 1, 0, 2);
      this.#time.aheadMs = next - Date.now();
    }
    await this.#product.scheduler.runDue();
  }

  #note(key: string, id: string): void {
    const { started } = this.#accepted;
    // Under a separate key, so that both executions are checked.
    started.set(started.get(key) === id || !started.has(key) ? key : `${key} again`, id);
  }

  async #untilState(id: string, isIt: (state: StateType) => boolean): Promise<void> {
    await this.#until(async () => {
      const state = (await this.#rows.getExecution(id))?.execution.state.current;
      return state !== undefined && isIt(state);
    });
  }

  async #until(holds: () => Promise<boolean>): Promise<void> {
    for (const until = Date.now() + 10_000; !(await holds()); await wait(2))
      if (Date.now() > until) throw new Error('What the drive waits for did not come about within 10 s.');
  }
}

/** Ignores `illegal-state`: the same request already took effect before the crash. */
async function unlessLate(asked: Promise<unknown>): Promise<void> {
  try {
    await asked;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'illegal-state') throw error;
  }
}
