import {
  choice,
  type Definition,
  defineTask,
  defineTrigger,
  flag,
  storageUri,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { defineDatabase, type Kinds } from '../base/defineDatabase.ts';
import { batchExample, queriesExample, queryExample, triggerExample } from '../base/examples.ts';
import {
  batchMetrics,
  batchProperties,
  batchShape,
  connectionProperties,
  fileShape,
  intervalProperty,
  outputFilesProperty,
  queriesShape,
  queryMetrics,
  queryProperties,
  resultShape,
  transactionProperty,
  urlProperty,
} from '../base/properties.ts';

interface Unavailable {
  readonly name: string;
  readonly title: string;
  readonly scheme: string;
  readonly exampleUrl: string;
  /** The missing part and the alternative. */
  readonly reason: string;
  readonly kinds?: Kinds;
}

const refuse = ({ title, reason }: Pick<Unavailable, 'title' | 'reason'>): never => {
  throw new TaskFailed(`${title} cannot be reached from this server: ${reason}`, { retry: false });
};

/** Databases without a maintained open-source Node.js client: flows can be saved, but their tasks fail. */
const databases: readonly Unavailable[] = [
  {
    name: 'actianvector',
    title: 'Actian Vector',
    scheme: 'jdbc:vectorwise:',
    exampleUrl: 'jdbc:vectorwise://localhost:AH7/base',
    reason: "there is no Node.js driver for Actian Vector. Run a script with the vendor's client instead.",
    kinds: { batch: 'Batch', olderNames: ['vectorwise'] },
  },
  {
    name: 'arrowflight',
    title: 'Arrow Flight SQL',
    scheme: 'jdbc:arrow-flight-sql:',
    exampleUrl: 'jdbc:arrow-flight-sql://localhost:32010',
    reason:
      'there is no maintained Node.js driver for Arrow Flight SQL. Run a Python script with "adbc_driver_flightsql" instead.',
  },
  {
    name: 'as400',
    title: 'AS/400',
    scheme: 'jdbc:as400:',
    exampleUrl: 'jdbc:as400://localhost',
    reason: "the only drivers for Db2 on IBM i need the vendor's ODBC client. Run a script with it instead.",
  },
  {
    name: 'db2',
    title: 'Db2',
    scheme: 'jdbc:db2:',
    exampleUrl: 'jdbc:db2://localhost:50000/sample',
    reason:
      'the driver "ibm_db" needs the vendor\'s proprietary client. Run a Node.js or Python script with it instead.',
  },
  {
    name: 'dremio',
    title: 'Dremio',
    scheme: 'jdbc:dremio:',
    exampleUrl: 'jdbc:dremio:direct=localhost:31010',
    reason: 'there is no Node.js driver for Dremio. Use its REST API with core.http.Request instead.',
  },
  {
    name: 'vertica',
    title: 'Vertica',
    scheme: 'jdbc:vertica:',
    exampleUrl: 'jdbc:vertica://localhost:5433/shop',
    reason:
      'the driver "vertica-nodejs" lets the database read and write files of the server. Run a Node.js script with it instead.',
    kinds: { batch: 'Batch' },
  },
  {
    name: 'sybase',
    title: 'Sybase ASE',
    scheme: 'jdbc:sybase:',
    exampleUrl: 'jdbc:sybase:Tds:localhost:5000/master',
    reason: 'there is no maintained Node.js driver for Sybase ASE. Run a script with FreeTDS instead.',
  },
];

const access = {
  name: 'access',
  title: 'Microsoft Access',
  exampleUrl: 'jdbc:ucanaccess:///data/shop.accdb',
  reason:
    'there is no Node.js library that writes Access files. Run a script with mdbtools or Python instead.',
};

export const unavailableTypes: readonly Definition[] = [
  ...databases.flatMap(({ name, title, scheme, exampleUrl, reason, kinds }) =>
    defineDatabase(
      {
        name,
        title,
        schemes: [scheme],
        exampleUrl,
        notice: `Flows with this type can be saved, but running it fails: ${reason}`,
        syntax: {},
        placeholder: () => '?',
        quoteName: (column) => column,
        isPooled: false,
        open: async () => refuse({ title, reason }),
      },
      kinds,
    ),
  ),
  ...accessTypes(),
];

/** Access has a file where the others have a server. */
function accessTypes(): Definition[] {
  const version = () =>
    choice(['V2000', 'V2003', 'V2007', 'V2010', 'V2016'])
      .default('V2003')
      .describe('The version of a new database.');
  const file = () => storageUri().optional().describe('A stored Access database.');
  const outputDbFile = () =>
    flag().default(false).describe('Store the database file after the statements, as `databaseUri`.');
  const url = () => text().default('jdbc:ucanaccess:///').describe('The JDBC URL of the database.');
  const description = `Flows with this type can be saved, but running it fails: ${access.reason}`;
  const own = () => ({ accessFile: file(), outputDbFile: outputDbFile() });
  const statement = () => ({
    url: url(),
    ...connectionProperties(),
    ...queryProperties('NONE'),
    outputFiles: outputFilesProperty(),
    ...own(),
    newDatabaseVersion: version(),
  });
  return [
    defineTask({
      type: 'jdbc.access.Query',
      title: 'Run an Access statement',
      description,
      input: () => z.object(statement()),
      output: () => z.object({ ...fileShape(), ...resultShape() }),
      metrics: queryMetrics,
      sideEffects: true,
      examples: [queryExample(access)],
      run: () => refuse(access),
    }),
    defineTask({
      type: 'jdbc.access.Queries',
      title: 'Run several Access statements',
      description,
      input: () => z.object({ ...statement(), transaction: transactionProperty() }),
      output: () => z.object({ ...fileShape(), ...queriesShape() }),
      metrics: queryMetrics,
      sideEffects: true,
      examples: [queriesExample(access)],
      run: () => refuse(access),
    }),
    defineTask({
      type: 'jdbc.access.Batch',
      title: 'Write the rows of a file to Access',
      description,
      input: () =>
        z.object({
          url: urlProperty(access.exampleUrl),
          ...connectionProperties(),
          ...batchProperties(),
          accessFile: file(),
          newDatabaseVersion: version(),
        }),
      output: () => z.object(batchShape()),
      metrics: batchMetrics,
      sideEffects: true,
      examples: [batchExample(access, 'Batch')],
      run: () => refuse(access),
    }),
    defineTrigger({
      type: 'jdbc.access.Trigger',
      role: 'polling',
      title: 'Start an execution when an Access query returns rows',
      description,
      input: () =>
        z.object({
          url: urlProperty(access.exampleUrl),
          ...connectionProperties(),
          ...queryProperties('FETCH'),
          ...own(),
          interval: intervalProperty(),
        }),
      output: () => z.object(resultShape()),
      examples: [triggerExample(access)],
      poll: async () => refuse(access),
    }),
  ];
}
