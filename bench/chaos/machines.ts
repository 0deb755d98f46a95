import { launchProduct, type Product } from '../../e2e/product/launchProduct.ts';

export interface MachineOptions {
  readonly name: string;
  readonly roles: readonly string[];
  readonly data: string;
  /** The folder of internal storage; defaults to one in its data folder. */
  readonly storage?: string;
  readonly databaseUrl?: string;
}

/** Short enough that a dead server is detected within a short run. */
const clusterEnvironment = {
  MILLRACE_CLUSTER_HEARTBEAT_MS: '500',
  MILLRACE_CLUSTER_DEAD_AFTER_MS: '3000',
  MILLRACE_LOG_LEVEL: 'warn',
};

/** One server process that can be killed and started again. Its output is kept for the report. */
export class Machine {
  readonly name: string;
  readonly roles: readonly string[];
  readonly #options: MachineOptions;
  #product: Product | undefined;
  #changing: Promise<void> = Promise.resolve();
  readonly #outputs: string[] = [];

  constructor(options: MachineOptions) {
    this.name = options.name;
    this.roles = options.roles;
    this.#options = options;
  }

  /** The URL of its API; undefined while it is down or when it has none. */
  get url(): string | undefined {
    const answers = ['api', 'standalone'].some((role) => this.roles.includes(role));
    return answers ? this.#product?.url : undefined;
  }

  start(): Promise<void> {
    return this.#change(async () => {
      const { roles, data, storage, databaseUrl } = this.#options;
      this.#product ??= await launchProduct({
        data,
        ...(databaseUrl === undefined ? {} : { databaseUrl }),
        args: roles,
        env: { ...clusterEnvironment, ...(storage === undefined ? {} : { MILLRACE_STORAGE_PATH: storage }) },
      });
    });
  }

  stop(signal: NodeJS.Signals): Promise<void> {
    return this.#change(async () => {
      const product = this.#product;
      this.#product = undefined;
      await product?.stop(signal);
      if (product) this.#outputs.push(product.output());
    });
  }

  /** Stops and continues the process, to simulate a machine that hangs. */
  signal(signal: NodeJS.Signals): void {
    if (this.#product) process.kill(this.#product.pid, signal);
  }

  output(): string {
    return [...this.#outputs, this.#product?.output() ?? ''].join('');
  }

  #change(work: () => Promise<void>): Promise<void> {
    this.#changing = this.#changing.then(work, work);
    return this.#changing;
  }
}
