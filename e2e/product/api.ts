import { setTimeout as wait } from 'node:timers/promises';
import type { Execution, executionActions, Job, PagedResults } from '@millrace/contract';

/** The few calls of the HTTP API that journeys and measurements make themselves. */
export class Api {
  readonly #base: string;

  constructor(url: string) {
    this.#base = `${url}/api/v1`;
  }

  async saveFlow(source: string): Promise<void> {
    await this.#call('/flows', {
      method: 'POST',
      headers: { 'content-type': 'application/x-yaml' },
      body: source,
    });
  }

  async execute(
    namespace: string,
    id: string,
    inputs: Readonly<Record<string, string>> = {},
  ): Promise<Execution> {
    const body = new FormData();
    for (const [name, value] of Object.entries(inputs)) body.set(name, value);
    return this.#json(`/executions/${namespace}/${id}`, { method: 'POST', body });
  }

  getExecution(id: string): Promise<Execution> {
    return this.#json(`/executions/${id}`);
  }

  searchExecutions(query: Readonly<Record<string, string>>): Promise<PagedResults<Execution>> {
    return this.#json(`/executions/search?${new URLSearchParams(query)}`);
  }

  async kill(id: string): Promise<void> {
    await this.#call(`/executions/${id}/kill`, { method: 'DELETE' });
  }

  fork(executionId: string, taskRunId: string, request: executionActions.ForkRequest): Promise<Execution> {
    return this.#json(`/executions/${executionId}/taskruns/${taskRunId}/fork`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
  }

  /** Starts a call that continues in the background. */
  startJob(path: string, body: unknown): Promise<Job> {
    const headers = { 'content-type': 'application/json', prefer: 'respond-async, wait=0' };
    return this.#json(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  readJob(id: string): Promise<Job> {
    return this.#json(`/jobs/${id}`);
  }

  async readLogs(id: string): Promise<string> {
    const response = await this.#call(`/logs/${id}/download`);
    return response.text();
  }

  /** Asks again and again until the execution is as expected. */
  async waitForExecution(id: string, isAsExpected: (execution: Execution) => boolean): Promise<Execution> {
    for (;;) {
      const execution = await this.getExecution(id);
      if (isAsExpected(execution)) return execution;
      await wait(25);
    }
  }

  async #json<T>(path: string, init?: RequestInit): Promise<T> {
    const response = await this.#call(path, init);
    // The server checks its responses against the contract; measuring and walking need not do it again.
    return (await response.json()) as T;
  }

  async #call(path: string, init?: RequestInit): Promise<Response> {
    const response = await fetch(this.#base + path, init);
    if (response.ok) return response;
    throw new Error(`${init?.method ?? 'GET'} ${path} returned ${response.status}: ${await response.text()}`);
  }
}
