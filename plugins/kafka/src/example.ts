import type { Example } from '@millrace/plugin-kit';

const connection = (lines: readonly string[]) =>
  ['properties:', '  bootstrap.servers: kafka.example.com:9092', ...lines]
    .map((line) => `    ${line}`)
    .join('\n');

/** A complete flow with one task of this family. */
export const taskExample = (type: string, title: string, lines: readonly string[]): Example => ({
  title,
  runs: false,
  code: `id: kafka_${type.toLowerCase()}
namespace: company.team

tasks:
  - id: kafka
    type: kafka.${type}
${connection(lines)}
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
  code: `id: kafka_${type.toLowerCase()}
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "${message}"

triggers:
  - id: messages
    type: kafka.${type}
${connection(lines)}
`,
});
