import {
  anything,
  aTaskRunner,
  defineTask,
  deprecated,
  fixed,
  flag,
  inputFiles,
  integer,
  listOf,
  mapOf,
  namespaceFiles,
  outputFiles,
  text,
} from '@millrace/plugin-kit';
import { folderVariables, shellQuote as quote, runScript, scriptOutput } from '@millrace/plugin-scripts';
import { z } from 'zod';

export const redisCli = defineTask({
  type: 'redis.cli.RedisCLI',
  title: 'Run redis-cli commands',
  description: `Runs each command with the program \`redis-cli\`, on the worker or where \`taskRunner\` says. The password is passed in the environment.`,
  input: () =>
    z.object({
      host: text().describe('The server.'),
      port: integer({ min: 1, max: 65_535 }).default(6379).describe('Its port.'),
      database: integer({ min: 0 }).default(0).describe('The number of the database.'),
      username: text().optional().describe('The user.'),
      password: text().optional().describe('The password.'),
      tls: flag().default(false).describe('Connect with TLS.'),
      commands: listOf(text(), { min: 1 }).describe('The commands, such as `SET key value`.'),
      jsonOutput: flag().default(false).describe('Print responses as JSON.'),
      containerImage: text()
        .default('redis:7-alpine')
        .describe('The image, for runners that use containers.'),
      taskRunner: fixed(aTaskRunner())
        .optional()
        .describe('Where the program runs; on the worker itself when absent.'),
      docker: deprecated(fixed(mapOf(anything())).optional(), 'use `taskRunner`.'),
      env: mapOf(text()).default({}).describe('Environment variables of the process.'),
      namespaceFiles: namespaceFiles().optional(),
      inputFiles: inputFiles().optional(),
      outputFiles: outputFiles().default([]),
    }),
  renderWith: folderVariables,
  output: scriptOutput,
  metrics: [{ name: 'executed.commands.count', type: 'counter', description: 'How many commands were run.' }],
  sideEffects: true,
  examples: [
    {
      title: 'Show the memory of a server.',
      runs: false,
      code: `id: redis_cli
namespace: company.team

tasks:
  - id: info
    type: redis.cli.RedisCLI
    host: redis.example.com
    password: "{{ secret('REDIS_PASSWORD') }}"
    commands:
      - INFO memory
`,
    },
  ],
  async run(context, input) {
    const { host, port, database, username, password, tls, commands, jsonOutput, env, ...rest } = input;
    if (password) context.masker.add(password);
    const options = [
      '-e',
      `-h ${quote(host)}`,
      `-p ${port}`,
      `-n ${database}`,
      ...(username === undefined ? [] : [`--user ${quote(username)}`]),
      ...(tls ? ['--tls'] : []),
      ...(jsonOutput ? ['--json'] : []),
      '--no-auth-warning',
    ];
    const result = await runScript(
      context,
      {
        ...rest,
        env: { ...env, ...(password === undefined ? {} : { REDISCLI_AUTH: password }) },
        interpreter: ['/bin/sh', '-c'],
        beforeCommands: [],
        failFast: true,
        targetOS: 'AUTO',
        warningOnStdErr: false,
        outputDirectory: false,
      },
      { lines: commands.map((command) => `redis-cli ${options.join(' ')} ${command}`) },
    );
    context.metric({ name: 'executed.commands.count', type: 'counter', value: commands.length });
    return result;
  },
});
