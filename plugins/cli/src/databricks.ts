import { defineTask, mapOf, text } from '@millrace/plugin-kit';
import { cliProperties, cliTask, commandsProperty, runScript, shellQuote } from '@millrace/plugin-scripts';
import { z } from 'zod';

export const databricksCli = defineTask({
  ...cliTask,
  type: 'databricks.cli.DatabricksCLI',
  title: 'Run Databricks commands',
  description: `Runs shell commands with the Databricks CLI at hand, which finds the workspace and the login in its environment. The program must be on the
worker, or \`taskRunner\` names a container or pod with it.`,
  input: () =>
    z.object({
      commands: commandsProperty(),
      databricksHost: text().describe('The address of the workspace.'),
      databricksToken: text().optional().describe('A personal access token.'),
      clientId: text().optional().describe('The id of a service principal, instead of a token.'),
      clientSecret: text().optional().describe('The OAuth secret of the service principal.'),
      ...cliProperties('ghcr.io/databricks/cli:latest'),
    }),
  examples: [
    {
      title: 'List the clusters.',
      runs: false,
      code: `id: databricks_cli
namespace: company.team

tasks:
  - id: clusters
    type: databricks.cli.DatabricksCLI
    taskRunner:
      type: scripts.runner.docker.Docker
    databricksHost: https://dbc-1234.cloud.databricks.com
    databricksToken: "{{ secret('DATABRICKS_TOKEN') }}"
    commands:
      - databricks clusters list
`,
    },
  ],
  run: (context, input) => {
    const { databricksHost, databricksToken, clientId, clientSecret } = input;
    for (const secret of [databricksToken, clientSecret]) if (secret) context.masker.add(secret);
    return runScript(context, input, {
      lines: input.commands,
      env: {
        DATABRICKS_HOST: databricksHost,
        ...(databricksToken !== undefined && { DATABRICKS_TOKEN: databricksToken }),
        ...(clientId !== undefined && { DATABRICKS_CLIENT_ID: clientId }),
        ...(clientSecret !== undefined && { DATABRICKS_CLIENT_SECRET: clientSecret }),
      },
    });
  },
});

export const databricksSqlCli = defineTask({
  ...cliTask,
  type: 'databricks.cli.DatabricksSQLCLI',
  title: 'Run statements with the Databricks SQL CLI',
  description: `Runs each of \`commands\` as a statement with \`dbsqlcli\`. The program must be on the worker, or \`taskRunner\` names a container or pod with
it. Use \`databricks.sql.Query\` to keep the rows of a query.`,
  input: () =>
    z.object({
      host: text().describe('The host of the SQL warehouse.'),
      token: text().describe('A personal access token.'),
      httpPath: text().describe('The HTTP path of the SQL warehouse.'),
      commands: commandsProperty().describe('The statements.'),
      options: mapOf(text()).optional().describe('More options of `dbsqlcli`, without the leading dashes.'),
      ...cliProperties('ghcr.io/kestra-io/databricks-sql-cli'),
    }),
  examples: [
    {
      title: 'Count the orders.',
      runs: false,
      code: `id: databricks_sql_cli
namespace: company.team

tasks:
  - id: count
    type: databricks.cli.DatabricksSQLCLI
    taskRunner:
      type: scripts.runner.docker.Docker
    host: dbc-1234.cloud.databricks.com
    token: "{{ secret('DATABRICKS_TOKEN') }}"
    httpPath: /sql/1.0/warehouses/abc
    commands:
      - SELECT count(*) FROM orders
`,
    },
  ],
  run: (context, input) => {
    context.masker.add(input.token);
    const options = Object.entries(input.options ?? {}).map(
      ([name, value]) => `--${name.replace(/^-+/, '')} ${shellQuote(value)}`,
    );
    return runScript(context, input, {
      lines: input.commands.map((statement) =>
        ['dbsqlcli', '-e', shellQuote(statement), ...options].join(' '),
      ),
      env: {
        DBSQLCLI_HOST_NAME: input.host,
        DBSQLCLI_HTTP_PATH: input.httpPath,
        DBSQLCLI_ACCESS_TOKEN: input.token,
      },
    });
  },
});
