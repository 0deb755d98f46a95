import type { Example } from '@millrace/plugin-kit';

/** A complete flow around one task; it needs a service, so no test runs it. */
export const taskExample = (
  type: string,
  title: string,
  lines: readonly string[],
  inputs?: string,
): Example => ({
  title,
  runs: false,
  code: `id: ${type.toLowerCase().replaceAll('.', '_')}
namespace: company.team

${inputs === undefined ? '' : `inputs:\n${inputs}\n\n`}tasks:
  - id: run
    type: ${type}
${lines.map((line) => `    ${line}`).join('\n')}
`,
});

/** A complete flow that a polling trigger starts. */
export const triggerExample = (type: string, title: string, lines: readonly string[]): Example => ({
  title,
  runs: false,
  code: `id: ${type.toLowerCase().replaceAll('.', '_')}
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.size }} rows"

triggers:
  - id: watch
    type: ${type}
${lines.map((line) => `    ${line}`).join('\n')}
`,
});

export const fileInput = '  - id: file\n    type: FILE';
