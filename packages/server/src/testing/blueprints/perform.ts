import { expect } from 'vitest';
import { stateOf } from '../aServer.ts';
import type { Running } from './case.ts';

let count = 0;

/** Runs tasks with the product, to prepare or to inspect a server. Returns the outputs of the last one. */
export async function perform(
  { server }: Running,
  tasks: string,
): Promise<Readonly<Record<string, unknown>>> {
  const id = `perform_${++count}`;
  await server.saveFlow(`id: ${id}\nnamespace: company.team\ntasks:\n${tasks}`);
  const execution = await server.run(id);
  const logs = await server.product.store.listLogs({ executionId: execution.id });
  const failures = stateOf(execution) === 'SUCCESS' ? [] : logs.map(({ message }) => message);
  expect(failures).toEqual([]);
  const runs = execution.taskRunList as { readonly outputs?: Readonly<Record<string, unknown>> }[];
  return runs.at(-1)?.outputs ?? {};
}
