import { loadConfig } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import type { Options, Values } from './command.ts';

/** The output format of commands that work on the data of a server. */
export const outputOption = {
  output: { type: 'string', short: 'o', value: 'FORMAT', choices: ['table', 'json'], help: 'how to print' },
} as const satisfies Options;

/** The options of commands that work on the data of a server; the same as the server's. */
export const dataOptions = {
  config: { type: 'string', short: 'c', value: 'FILE', help: 'settings as a YAML file' },
  data: { type: 'string', value: 'DIR', help: 'where everything is kept (default ./data)' },
} as const satisfies Options;

/** Where a server listens, as its settings say. */
export const listenOptions = {
  host: { type: 'string', value: 'ADDRESS', help: 'address to listen on (default 127.0.0.1)' },
  port: { type: 'string', value: 'N', help: 'web app and API (default 8080)' },
  'management-port': { type: 'string', value: 'N', help: 'health and metrics (default 8081)' },
} as const satisfies Options;

export const databaseOption = {
  'database-url': {
    type: 'string',
    value: 'URL',
    help: 'use PostgreSQL (postgres://…) instead of SQLite in the data folder',
  },
} as const satisfies Options;

export function readDataSettings(
  values: Values<typeof dataOptions & typeof listenOptions & typeof databaseOption>,
  env: Readonly<Record<string, string | undefined>>,
): Config {
  const file = values.config ?? env.MILLRACE_CONFIG;
  return loadConfig({
    ...(file === undefined ? {} : { file }),
    env,
    flags: {
      data: values.data,
      server: { host: values.host, port: values.port, managementPort: values['management-port'] },
      database: { url: values['database-url'] },
    },
  }).config;
}
