import type { Worker } from 'node:worker_threads';
import { AppError } from '@millrace/contract';
import { createExitGuard, watchExit } from './exitGuard.ts';
import type { Answer, Job, ThreadData } from './messages.ts';
import { startThread } from './threadEntry.ts';

interface Asked<R> {
  readonly resolve: (result: R) => void;
  readonly reject: (error: Error) => void;
}

/** The main thread's end of a writing or reading thread. */
export class Thread<B, R> {
  readonly #worker: Worker;
  readonly #asked = new Map<number, Asked<R>>();
  readonly #unwatch: () => void;
  readonly #ended: Promise<void>;
  #lastId = 0;
  #failure: Error | undefined;
  #isClosing = false;

  /** `onLost` is called once when the thread ends without having been closed. */
  constructor(entry: URL, file: string, onLost: (error: Error) => void = () => {}) {
    const workerData: ThreadData = { file, exitGuard: createExitGuard() };
    this.#unwatch = watchExit(workerData.exitGuard);
    this.#worker = startThread(entry, workerData);
    this.#worker.on('message', (answer: Answer<R>) => this.#receive(answer));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#ended = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#unwatch();
        this.#fail(new Error('The thread has ended.'));
        if (!this.#isClosing && this.#failure) onLost(this.#failure);
        resolve();
      });
    });
  }

  get hasEnded(): boolean {
    return this.#failure !== undefined;
  }

  ask(body: B): Promise<R> {
    return this.#send({ id: ++this.#lastId, body });
  }

  /** Waits until the thread has finished its jobs, closed its connection and exited. */
  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#failure === undefined) await this.#send({ id: ++this.#lastId });
    await this.#ended;
  }

  #send(job: Job<B>): Promise<R> {
    if (this.#failure !== undefined) return Promise.reject(unavailable(this.#failure));
    return new Promise((resolve, reject) => {
      this.#asked.set(job.id, { resolve, reject });
      this.#worker.postMessage(job);
    });
  }

  #receive(answer: Answer<R>): void {
    const asked = this.#asked.get(answer.id);
    this.#asked.delete(answer.id);
    if ('error' in answer) asked?.reject(new Error(answer.error));
    else asked?.resolve(answer.result);
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#asked.values()) reject(unavailable(error));
    this.#asked.clear();
  }
}

const unavailable = (cause: Error): AppError =>
  new AppError('unavailable', 'The database is not open any more.', { cause });
