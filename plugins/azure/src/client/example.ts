import type { Example } from '@millrace/plugin-kit';

const storage = ['connectionString: "{{ secret(\'AZURE_STORAGE\') }}"'];
const identity = [
  'tenantId: "{{ secret(\'AZURE_TENANT_ID\') }}"',
  'clientId: "{{ secret(\'AZURE_CLIENT_ID\') }}"',
  'clientSecret: "{{ secret(\'AZURE_CLIENT_SECRET\') }}"',
];
const bus = ['connectionString: "{{ secret(\'AZURE_SERVICE_BUS\') }}"'];
const hub = ['namespace: company', 'connectionString: "{{ secret(\'AZURE_EVENT_HUBS\') }}"'];

function connectionOf(type: string): readonly string[] {
  if (type.startsWith('azure.storage.cosmosdb'))
    return ['connectionString: "{{ secret(\'AZURE_COSMOS\') }}"'];
  if (type.startsWith('azure.storage')) return storage;
  if (type.startsWith('azure.servicebus')) return bus;
  if (type.startsWith('azure.eventhubs')) return hub;
  return /^azure\.(batch|cli|function)\./.test(type) ? [] : identity;
}

const idOf = (type: string) => type.split('.').slice(-2).join('_').toLowerCase();
const indent = (lines: readonly string[]) => lines.map((line) => `    ${line}`).join('\n');

/** A complete flow around one task. */
export function taskExample(type: string, title: string, lines: readonly string[], hasFile = false): Example {
  return {
    title,
    runs: false,
    code: `id: ${idOf(type)}
namespace: company.team

${hasFile ? 'inputs:\n  - id: file\n    type: FILE\n\n' : ''}tasks:
  - id: ${idOf(type)}
    type: ${type}
${indent([...connectionOf(type), ...lines])}
`,
  };
}

/** A complete flow that a trigger starts; `shows` is the expression that it logs. */
export const triggerExample = (
  type: string,
  title: string,
  lines: readonly string[],
  shows: string,
): Example => ({
  title,
  runs: false,
  code: `id: ${idOf(type)}
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ ${shows} }}"

triggers:
  - id: watch
    type: ${type}
${indent([...connectionOf(type), ...lines])}
`,
});
