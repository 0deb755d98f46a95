import { openStore } from '../../openStore.ts';
import { anExecution, aTaskRun, insert, noon } from '../../suite/records.ts';

/**
 * A process for tests that kill it: commits many units concurrently without pause, and reports acknowledged
 * ones.
 */
const [folder = '', round = ''] = process.argv.slice(2);
const store = await openStore({ kind: 'sqlite', folder });
let count = 0;
process.on('message', () => process.exit(7));

async function commitForever(lane: number): Promise<never> {
  for (;;) {
    const execution = anExecution({ id: `r${round}l${lane}n${count++}` });
    await store.commit([
      insert(execution),
      { op: 'taskRun.put', taskRun: aTaskRun(execution.id, { outputs: { text: 'x'.repeat(500) } }) },
      { op: 'event.append', executionId: execution.id, seq: 1, at: noon, events: [{ lane }] },
      { op: 'taskRun.put', taskRun: aTaskRun(execution.id, { order: 1 }) },
    ]);
    process.send?.([execution.id]);
  }
}

async function searchForever(): Promise<never> {
  for (;;) {
    await store.listExecutions({
      page: 1,
      size: 10,
      filters: [{ field: 'q', operation: 'EQUALS', value: 'r' }],
    });
  }
}

await Promise.all([...Array.from({ length: 32 }, (_, lane) => commitForever(lane)), searchForever()]);
