import { choice, TaskFailed, text } from '@millrace/plugin-kit';
import { captureTypes } from './database.ts';

const snapshotMode = () =>
  choice(['ALWAYS', 'INITIAL', 'INITIAL_ONLY', 'WHEN_NEEDED', 'NO_DATA', 'RECOVERY'])
    .default('INITIAL')
    .describe('Whether the rows that are there are read first.');

/** Flows with these types can be saved; running them names the missing driver and the alternatives. */
function refuse(reason: string): never {
  throw new TaskFailed(reason, { retry: false });
}

const oracle = captureTypes({
  name: 'oracle',
  title: 'Oracle',
  note: '**Not available yet**: there is no client for LogMiner or XStream in Node. A task of this type fails with a message that names alternatives.',
  properties: () => ({
    sid: text().describe('The SID of the database.'),
    pluggableDatabase: text().optional().describe('The pluggable database.'),
    snapshotMode: snapshotMode(),
  }),
  example: ['port: "1521"', 'sid: ORCL'],
  open: async () =>
    refuse(
      'Changes of Oracle cannot be captured: there is no client for LogMiner or XStream in Node. Poll a column with "jdbc.oracle.Trigger", or run Debezium Server and receive its changes with "kafka.RealtimeTrigger".',
    ),
});

const db2 = captureTypes({
  name: 'db2',
  title: 'Db2',
  note: '**Not available yet**: the only Db2 driver for Node has native code that is built when it is installed. A task of this type fails with a message that names alternatives.',
  properties: () => ({ database: text().describe('The database.'), snapshotMode: snapshotMode() }),
  example: ['port: "50000"', 'database: SHOP'],
  open: async () =>
    refuse(
      'Changes of Db2 cannot be captured: the only Db2 driver for Node has native code, which Millrace does not ship. Run Debezium Server and receive its changes with "kafka.RealtimeTrigger".',
    ),
});

export const missingTypes = [...oracle, ...db2];
