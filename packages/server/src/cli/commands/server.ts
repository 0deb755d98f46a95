import { type RoleName, roleNames } from '../../cluster/role.ts';
import { defineCommand, UsageError } from '../command.ts';
import { databaseOption, dataOptions, listenOptions } from '../dataSettings.ts';

export const server = defineCommand({
  name: 'server',
  summary: 'Start the server: web app, API, and everything that runs flows',
  usage: '[standalone|api|executor|worker|scheduler …]',
  positionals: { min: 0, max: 4 },
  options: {
    ...dataOptions,
    ...listenOptions,
    ...databaseOption,
    'worker-thread': {
      type: 'string',
      value: 'N',
      help: 'tasks that run at the same time (default 8 per core)',
    },
    'worker-group': {
      type: 'string',
      value: 'KEY',
      help: 'only take tasks that ask for this worker group',
    },
    'flow-path': { type: 'string', value: 'DIR', help: 'save the flows of this folder at the start' },
    watch: {
      type: 'string',
      value: 'DIR',
      help: 'the same, and follow the folder: changed files are saved, flows of removed files deleted',
    },
    plugins: {
      type: 'string',
      value: 'NAMES',
      help: 'plugin families that flows may use, such as core,scripts (default all)',
    },
    'quiet-start': {
      type: 'boolean',
      help: 'let schedules, triggers and open executions wait until "millrace activate"',
    },
    insecure: { type: 'boolean', help: 'listen on a public address without authentication' },
  },
  details:
    'Every setting can also be given as an environment variable: server.port is MILLRACE_SERVER_PORT.\n' +
    'The command line wins over the environment, and the environment over the file.',
  run: async ({ values, positionals }, { env }) => {
    const unknown = positionals.find((role) => !isRole(role));
    if (unknown !== undefined) {
      throw new UsageError(`"server ${unknown}" does not exist; expected one of ${roleNames.join(', ')}.`);
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
          quietStart: values['quiet-start'],
          roles: positionals.length === 0 ? undefined : positionals,
        }),
        database: dropEmpty({ url: values['database-url'] }),
        flows: dropEmpty({
          path: values.watch ?? values['flow-path'],
          watch: values.watch === undefined ? undefined : true,
        }),
        plugins: dropEmpty({ families: values.plugins?.split(',').map((name) => name.trim()) }),
        worker: dropEmpty({ threads: values['worker-thread'], group: values['worker-group'] }),
      }),
    });
    return undefined;
  },
});

const isRole = (name: string): name is RoleName => (roleNames as readonly string[]).includes(name);

function dropEmpty(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
