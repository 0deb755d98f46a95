import {
  anything,
  choice,
  type Definition,
  defineTask,
  defineTrigger,
  duration,
  fixed,
  flag,
  integer,
  mapOf,
  type TaskContext,
  text,
  unlessKilled,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { CaptureState, storeChanges } from './capture.ts';
import type { ChangeSource } from './change.ts';
import { formatChange, formatProperties } from './format.ts';

const list = (what: string) =>
  anything().optional().describe(`${what}, as regular expressions in a list or separated by commas.`);

const connectionProperties = (hasAddress: boolean) => ({
  hostname: hasAddress
    ? text().describe('The host of the database.')
    : text().default('').describe('The host, which has no effect here.'),
  port: hasAddress
    ? text().describe('The port of the database.')
    : text().default('').describe('The port, which has no effect here.'),
  username: text().optional().describe('The user, who must be allowed to replicate.'),
  password: text().optional().describe('The password.'),
});

const sharedProperties = () => ({
  ...formatProperties(),
  ignoreDdl: flag().default(true).describe('Changes of tables themselves are not captured.'),
  includedDatabases: list('Only these databases'),
  excludedDatabases: list('All databases but these'),
  includedTables: list('Only these tables (`schema.table` or `database.table`)'),
  excludedTables: list('All tables but these'),
  includedColumns: list('Only these columns (`schema.table.column`)'),
  excludedColumns: list('All columns but these'),
  properties: mapOf(text())
    .optional()
    .describe('Properties of Debezium. They have no effect: changes are captured without it.'),
  stateName: text()
    .default('debezium-state')
    .describe('The name of the stored position; its key is `<flow>_<stateName>`.'),
  offsetsCommitMode: choice(['ON_EACH_BATCH', 'ON_STOP'])
    .default('ON_STOP')
    .describe('When the position is stored. It is stored as soon as the changes are, in both modes.'),
});

const limitProperties = () => ({
  maxRecords: integer({ min: 1 })
    .optional()
    .describe('Stop after this many changes. MySQL and PostgreSQL read the first snapshot to its end.'),
  maxDuration: duration().optional().describe('Stop after this time.'),
  maxWait: duration().prefault('PT10S').describe('Stop when no change came for this long.'),
  maxSnapshotDuration: duration()
    .prefault('PT1H')
    .describe('How long the first snapshot may take, whatever `maxDuration` says.'),
});

const captureOutput = z.object({
  size: z.number().describe('How many changes were captured.'),
  uris: z.record(z.string(), z.string()).describe('A file of rows for each stream, by its name.'),
  stateOffsetKey: z.string().describe('The key of the stored position.'),
  stateHistoryKey: z
    .string()
    .describe('The same key, for older flows: the schema is stored with the position.'),
});

export interface SharedInput {
  readonly includedDatabases?: unknown;
  readonly excludedDatabases?: unknown;
  readonly includedTables?: unknown;
  readonly excludedTables?: unknown;
  readonly includedColumns?: unknown;
  readonly excludedColumns?: unknown;
}

interface Database<S extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  /** The required database setup and other notes for users. */
  readonly note: string;
  readonly properties: () => S;
  readonly example: readonly string[];
  /** False when another property has the address of the database. */
  readonly hasAddressProperties?: boolean;
  open(
    context: TaskContext,
    input: z.infer<z.ZodObject<S>> & SharedInput,
    position: unknown,
  ): Promise<ChangeSource>;
}

/** Opens the source at the stored position and always closes it. */
async function withSource<S extends z.ZodRawShape, T>(
  context: TaskContext,
  database: Database<S>,
  input: z.infer<z.ZodObject<S>> & SharedInput & { readonly stateName: string },
  work: (source: ChangeSource, state: CaptureState) => Promise<T>,
): Promise<T> {
  const state = new CaptureState(context, input.stateName);
  const opening = database.open(context, input, await state.read());
  const source = await unlessKilled(context, opening, (late) => late.close());
  const stop = () => void source.close().catch(() => {});
  context.signal.addEventListener('abort', stop, { once: true });
  try {
    return await work(source, state);
  } catch (error) {
    context.signal.throwIfAborted();
    throw error;
  } finally {
    context.signal.removeEventListener('abort', stop);
    await source.close().catch(() => {});
  }
}

/** The three types that every database has. */
export function captureTypes<S extends z.ZodRawShape>(database: Database<S>): readonly Definition[] {
  const { name, title, note } = database;
  const shape = () => ({
    ...connectionProperties(database.hasAddressProperties ?? true),
    ...sharedProperties(),
    ...database.properties(),
  });
  // TypeScript cannot merge the types of the schema's parts, so each function reads the input as its parts.
  type Input = z.infer<z.ZodObject<S>> &
    SharedInput &
    z.infer<z.ZodObject<ReturnType<typeof sharedProperties>>>;
  type Limited = Input & z.infer<z.ZodObject<ReturnType<typeof limitProperties>>>;

  const capture = defineTask({
    type: `debezium.${name}.Capture`,
    title: `Capture changes of ${title}`,
    description: `Stores changed rows in files, one per table. The first run reads the rows that are there, later runs continue where the last one stopped. It stops
when no change came for \`maxWait\`, at \`maxRecords\` or at \`maxDuration\`. The position is stored after the files. ${note}`,
    input: () => z.object({ ...shape(), ...limitProperties() }),
    output: captureOutput,
    metrics: [{ name: 'records', type: 'counter', description: 'How many changes were captured.' }],
    sideEffects: true,
    examples: [example(database, 'Capture', 'Capture what has changed.')],
    run: (context, properties) => {
      const input = properties as unknown as Limited; // see above
      return withSource(context, database, input, async (source, state) => {
        const stored = await storeChanges(context, source, input);
        await state.write(source.position());
        await source.confirm();
        return { ...stored, stateOffsetKey: state.key, stateHistoryKey: state.key };
      });
    },
  });

  const trigger = defineTrigger({
    type: `debezium.${name}.Trigger`,
    role: 'polling',
    title: `Start when rows of ${title} change`,
    description: `Captures changed rows every \`interval\` and starts one execution for all of them. The position is stored after the execution: a server that
crashes before that captures the changes again. ${note}`,
    input: () =>
      z.object({
        ...shape(),
        ...limitProperties(),
        interval: fixed(duration()).prefault('PT1M').describe('The pause between two polls.'),
      }),
    output: captureOutput,
    examples: [example(database, 'Trigger', 'Every half minute.')],
    poll: (context, properties) => {
      const input = properties as unknown as Limited; // see above
      return withSource(context, database, input, async (source, state) => {
        const stored = await storeChanges(context, source, input);
        if (stored.size > 0)
          await context.emit({ ...stored, stateOffsetKey: state.key, stateHistoryKey: state.key });
        await state.write(source.position());
        await source.confirm();
        return undefined;
      });
    },
  });

  const realtime = defineTrigger({
    type: `debezium.${name}.RealtimeTrigger`,
    role: 'realtime',
    title: `Start for every changed row of ${title}`,
    description: `Starts an execution for each changed row as it is committed. The position is stored after the execution, and a change that is read again starts
no second execution. ${note}`,
    input: () => z.object(shape()),
    output: () =>
      z.object({
        stream: z.string().describe('The stream, by default `database.table`.'),
        data: z.record(z.string(), z.unknown()).describe('The row.'),
      }),
    examples: [example(database, 'RealtimeTrigger', 'One execution per change.')],
    listen: (context, properties, emit) => {
      const input = properties as unknown as Input; // see above
      return withSource(context, database, input, async (source, state) => {
        let written = '';
        while (!context.signal.aborted) {
          const change = await source.next(1_000);
          const row = change && formatChange(change, input);
          if (change && row) await emit({ ...row }, { key: change.id });
          const position = source.isInSnapshot() ? undefined : source.position();
          if (position === undefined || JSON.stringify(position) === written) continue;
          written = JSON.stringify(position);
          await state.write(position);
          await source.confirm();
        }
      }).catch((error: unknown) => {
        if (!context.signal.aborted) throw error;
      });
    },
  });
  return [capture, trigger, realtime];
}

function example<S extends z.ZodRawShape>(database: Database<S>, type: string, title: string) {
  const properties = [
    ...((database.hasAddressProperties ?? true) ? ['hostname: db.example.com'] : []),
    ...database.example,
    'username: "{{ secret(\'DB_USER\') }}"',
    'password: "{{ secret(\'DB_PASSWORD\') }}"',
  ];
  const lines = properties.map((line) => `    ${line}`).join('\n');
  const id = `${database.name}_${type.toLowerCase()}`;
  const code =
    type === 'Capture'
      ? `id: ${id}
namespace: company.team

tasks:
  - id: changes
    type: debezium.${database.name}.Capture
${lines}
    maxRecords: 10000

  - id: show
    type: core.log.Log
    message: "{{ outputs.changes.uris }}"
`
      : `id: ${id}
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.${type === 'Trigger' ? 'uris' : 'data'} }}"

triggers:
  - id: changes
    type: debezium.${database.name}.${type}
${lines}
`;
  return { title, runs: false, code };
}
