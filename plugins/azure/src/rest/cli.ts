import { defineTask, flag, text } from '@millrace/plugin-kit';
import { cliProperties, cliTask, commandsProperty, runScript } from '@millrace/plugin-scripts';
import { z } from 'zod';
import { taskExample } from '../client/example.ts';

export const azCli = defineTask({
  ...cliTask,
  type: 'azure.cli.AzCLI',
  title: 'Run commands of the Azure CLI',
  description:
    'Runs commands with the program `az` at hand, on the worker or where `taskRunner` says, for example in a container of `mcr.microsoft.com/azure-cli`. With `username` it logs in first.',
  input: () =>
    z.object({
      commands: commandsProperty(),
      ...cliProperties('mcr.microsoft.com/azure-cli'),
      username: text().optional().describe('The user, or the id of a service principal.'),
      password: text().optional().describe('The password, or the secret of a service principal.'),
      tenant: text().optional().describe('The tenant.'),
      servicePrincipal: flag().optional().describe('Log in as a service principal.'),
    }),
  examples: [
    taskExample('azure.cli.AzCLI', 'List the groups of a subscription.', [
      'username: "{{ secret(\'AZURE_CLIENT_ID\') }}"',
      'password: "{{ secret(\'AZURE_CLIENT_SECRET\') }}"',
      'tenant: "{{ secret(\'AZURE_TENANT_ID\') }}"',
      'servicePrincipal: true',
      'commands:',
      '  - az group list',
    ]),
  ],
  run: (context, { username, password, tenant, servicePrincipal, commands, env, ...input }) => {
    if (password) context.masker.add(password);
    const login = [
      'az login -u "$MILLRACE_AZURE_USER"',
      ...(password === undefined ? [] : ['-p "$MILLRACE_AZURE_PASSWORD"']),
      ...(tenant === undefined ? [] : ['--tenant "$MILLRACE_AZURE_TENANT"']),
      ...(servicePrincipal ? ['--service-principal'] : []),
      '--output none',
    ].join(' ');
    const own = {
      ...(username !== undefined && { MILLRACE_AZURE_USER: username }),
      ...(password !== undefined && { MILLRACE_AZURE_PASSWORD: password }),
      ...(tenant !== undefined && { MILLRACE_AZURE_TENANT: tenant }),
    };
    const lines = username === undefined ? commands : [login, ...commands];
    return runScript(context, { ...input, env: { ...own, ...env } }, { lines });
  },
});
