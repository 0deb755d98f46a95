import type { Example } from '@millrace/plugin-kit';

const indent = (lines: readonly string[]) => lines.map((line) => `    ${line}`).join('\n');

/** A complete flow with one task of this family. */
export const taskExample = (type: string, title: string, lines: readonly string[]): Example => ({
  title,
  runs: false,
  code: `id: nats_${type.replace('.', '_').toLowerCase()}
namespace: company.team

tasks:
  - id: nats
    type: nats.${type}
    url: nats://nats.example.com:4222
    username: "{{ secret('NATS_USER') }}"
    password: "{{ secret('NATS_PASSWORD') }}"
${indent(lines)}
`,
});

/** A complete flow that a trigger of this family starts. */
export const triggerExample = (
  type: string,
  title: string,
  lines: readonly string[],
  message: string,
): Example => ({
  title,
  runs: false,
  code: `id: nats_${type.toLowerCase()}
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "${message}"

triggers:
  - id: messages
    type: nats.core.${type}
    url: nats://nats.example.com:4222
    username: "{{ secret('NATS_USER') }}"
    password: "{{ secret('NATS_PASSWORD') }}"
${indent(lines)}
`,
});
