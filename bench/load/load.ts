import { fork } from 'node:child_process';

/** Either closed-loop on a number of connections, or a fixed number of requests per second. */
export interface LoadPlan {
  readonly port: number;
  readonly path: string;
  readonly seconds: number;
  readonly connections: number;
  readonly ratePerSecond?: number;
}

export interface LoadResult {
  readonly sent: number;
  readonly answered: number;
  readonly failed: number;
  readonly seconds: number;
  /** From the request to its successful response. */
  readonly answerP50Ms: number;
  readonly answerP99Ms: number;
}

/** Runs the load in a separate process: measuring must not wait for load generation. */
export function generateLoad(plan: LoadPlan): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = fork(new URL('./generator.ts', import.meta.url), [JSON.stringify(plan)]);
    let result: LoadResult | undefined;
    child.on('message', (message) => {
      // The generator sends exactly one message, of this type.
      result = message as LoadResult;
    });
    child.on('error', reject);
    child.on('exit', (code) => {
      if (result) resolve(result);
      else reject(new Error(`The load generator ended with ${code} and no result.`));
    });
  });
}
