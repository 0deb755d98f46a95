import { defineCommand, UsageError } from '../command.ts';

const roles = ['standalone', 'local'];

export const server = defineCommand({
  name: 'server',
  summary: 'Start the server: web app, API, and everything that runs flows',
  usage: '[standalone|local]',
  positionals: { min: 0, max: 1 },
  options: {
    config: { type: 'string', short: 'c', value: 'FILE', help: 'settings as a YAML file' },
    data: { type: 'string', value: 'DIR', help: 'where everything is kept (default ./data)' },
    host: { type: 'string', value: 'ADDRESS', help: 'address to listen on (default 127.0.0.1)' },
    port: { type: 'string', value: 'N', help: 'web app and API (default 8080)' },
    'management-port': { type: 'string', value: 'N', help: 'health and metrics (default 8081)' },
    'database-url': {
      type: 'string',
      value: 'URL',
      help: 'use PostgreSQL (postgres://…) instead of SQLite in the data folder',
    },
    'worker-thread': {
      type: 'string',
      value: 'N',
      help: 'tasks that run at the same time (default 8 per core)',
    },
    insecure: { type: 'boolean', help: 'listen on a public address without authentication' },
  },
  details:
    'Every setting can also be given as an environment variable: server.port is MILLRACE_SERVER_PORT.\n' +
    'The command line wins over the environment, and the environment over the file.',
  run: async ({ values, positionals: [role = 'standalone'] }, { env }) => {
    if (!roles.includes(role)) {
      throw new UsageError(`"server ${role}" does not exist; expected one of ${roles.join(', ')}.`);
    }
    const { runServer } = await import('../runServer.ts');
    await runServer({
      file: values.config ?? env.MILLRACE_CONFIG,
      settings: dropEmpty({
        data: values.data,
        server: dropEmpty({
          host: values.host,
          port: values.port,
          managementPort: values['management-port'],
          insecure: values.insecure,
        }),
        database: dropEmpty({ url: values['database-url'] }),
        worker: dropEmpty({ threads: values['worker-thread'] }),
      }),
    });
    return undefined;
  },
});

function dropEmpty(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
