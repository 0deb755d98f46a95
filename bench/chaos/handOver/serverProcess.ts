import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Answer, Order } from './orders.ts';

const entry = fileURLToPath(new URL('./server.ts', import.meta.url));

/** The parent's handle of a server in a separate process. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly ended: Promise<void>;
  #hasEnded = false;

  constructor() {
    this.#child = fork(entry, { execArgv: ['--import', 'tsx'], stdio: 'ignore' });
    this.ended = new Promise((resolve) => {
      this.#child.once('exit', () => {
        this.#hasEnded = true;
        resolve();
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** The response, or undefined when the server crashed before responding. */
  async ask(order: Order): Promise<Answer | undefined> {
    if (this.#hasEnded) return undefined;
    const answered = new Promise<Answer>((resolve) =>
      this.#child.once('message', (answer: Answer) => resolve(answer)),
    );
    this.#child.send(order, () => {});
    return Promise.race([answered, this.ended.then(() => undefined)]);
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }
}
