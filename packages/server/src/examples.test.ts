import { coreDefinitions } from '@millrace/plugins';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { sharedServer, stateOf, taskRunsOf } from './testing/aServer.ts';
import { sqlite } from './testing/databases.ts';
import { multipart } from './testing/multipart.ts';

const cases = coreDefinitions.flatMap(({ type, examples }) =>
  examples.filter(({ runs }) => runs).map(({ title, code }) => ({ type, title, code })),
);
/** What an example may take; a reader who tries one should not wait longer. */
const patienceMs = 20_000;

interface Example {
  readonly namespace: string;
  readonly id: string;
  readonly inputs?: readonly { readonly id: string; readonly type: string }[];
}

/** Rows that make sense to every example that takes a file. */
const rows =
  '{"customer_id":1,"amount":90}\n{"customer_id":2,"amount":200}\n{"customer_id":1,"amount":300}\n';

/** A file for every input that wants one. */
function filesFor(inputs: NonNullable<Example['inputs']>) {
  const files = inputs.filter(({ type }) => type === 'FILE');
  if (files.length === 0) return {};
  return multipart(...files.map(({ id }) => ({ name: id, fileName: 'rows.jsonl', content: rows })));
}

/** Users copy examples: those that need nothing but the product must work as they stand. */
describe('examples of plugins', () => {
  const shared = sharedServer(sqlite, { env: { PATH: process.env.PATH ?? '' } });

  it.each(cases)(
    '$type: $title',
    async ({ code }) => {
      const server = shared();
      // `as`: every example is checked to be a flow by a test of the plugins.
      const { namespace, id, inputs = [] } = parse(code) as Example;
      // Two examples may share an id, as examples do.
      await server.call('DELETE', `/flows/${namespace}/${id}`);
      await server.saveFlow(code);
      const started = await server.call('POST', `/executions/${namespace}/${id}`, filesFor(inputs));
      expect([started.status, started.body.message]).toEqual([200, undefined]);
      const executionId = String(started.body.id);
      const execution = await server.waitForState(
        executionId,
        'SUCCESS',
        'WARNING',
        'FAILED',
        'KILLED',
        'CANCELLED',
      );
      const failures = taskRunsOf(execution).filter((run) => stateOf(run) === 'FAILED');
      const logs = await server.product.store.listLogs({ executionId, minLevel: 'ERROR' });
      expect({
        state: stateOf(execution),
        failed: failures.map(({ taskId }) => taskId),
        errors: logs.map(({ message }) => message),
      }).toMatchObject({ state: expect.stringMatching(/^(SUCCESS|WARNING)$/) });
    },
    patienceMs,
  );
});
