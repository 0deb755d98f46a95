import type { Example } from '@millrace/plugin-kit';
import type { Engine } from './client.ts';

/** A complete flow around one task. */
export const searchExample = (
  { name }: Engine,
  type: string,
  title: string,
  lines: readonly string[],
  inputs?: string,
): Example => ({
  title,
  runs: false,
  code: `id: ${name}_${type.toLowerCase()}
namespace: company.team

${inputs === undefined ? '' : `inputs:\n${inputs}\n\n`}tasks:
  - id: run
    type: ${name}.${type}
    connection:
      hosts:
        - https://search.example.com:9200
      basicAuth:
        username: alice
        password: "{{ secret('SEARCH_PASSWORD') }}"
${lines.map((line) => `    ${line}`).join('\n')}
`,
});

export const requestMetrics = [
  { name: 'requests.count', type: 'counter', description: 'How many requests were sent.' },
  { name: 'records', type: 'counter', description: 'How many rows were read or written.' },
  { name: 'requests.duration', type: 'timer', description: 'How long the server took.' },
] as const;
