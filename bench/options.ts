import { parseArgs } from 'node:util';

export const databases = ['SQLite', 'PostgreSQL'] as const;
export type Database = (typeof databases)[number];

export const parts = [
  'start',
  'simple',
  'remote',
  'complex',
  'loops',
  'shell',
  'readers',
  'largeServer',
  'storage',
  'expressions',
  'web',
  'pages',
  'lists',
  'soak',
] as const;
export type Part = (typeof parts)[number];

/** These take many minutes and gigabytes, so they run only on request. */
const longParts: readonly Part[] = ['lists', 'soak'];

export interface Options {
  readonly parts: ReadonlySet<Part>;
  readonly databases: readonly Database[];
  /** How long each load lasts. */
  readonly seconds: number;
  /** How long the soak lasts on each database. */
  readonly minutes: number;
  readonly quick: boolean;
  readonly json?: string;
}

export const usage = `Usage: npm run bench -- [options]

  --only PART,…     measure only these parts: ${parts.join(', ')}
                    (without it: all but ${longParts.join(', ')})
  --database NAME   only on sqlite or postgresql
  --minutes N       how long the soak lasts on each database (default 30)
  --quick           short loads and small numbers: shows that it works, not how fast it is
  --json FILE       write the figures to a file too
  --help            print this
`;

export function readOptions(argv: readonly string[]): Options | 'help' {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string' },
      database: { type: 'string' },
      minutes: { type: 'string', default: '30' },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  return {
    parts: new Set(
      values.only === undefined
        ? parts.filter((part) => !longParts.includes(part))
        : values.only.split(',').map(findPart),
    ),
    databases: values.database === undefined ? databases : [findDatabase(values.database)],
    seconds: values.quick ? 2 : 10,
    minutes: readMinutes(values.minutes),
    quick: values.quick,
    ...(values.json === undefined ? {} : { json: values.json }),
  };
}

function readMinutes(text: string): number {
  const minutes = Number(text);
  if (!(minutes > 0)) throw new Error(`"${text}" is not a number of minutes.`);
  return minutes;
}

function findPart(name: string): Part {
  const part = parts.find((known) => known === name);
  if (!part) throw new Error(`"${name}" is not a part; expected some of ${parts.join(', ')}.`);
  return part;
}

function findDatabase(name: string): Database {
  const database = databases.find((known) => known.toLowerCase() === name.toLowerCase());
  if (!database) throw new Error(`"${name}" is not a database; expected sqlite or postgresql.`);
  return database;
}
