import type { Example } from '@millrace/plugin-kit';

const connection = [
  'region: eu-west-1',
  'accessKeyId: "{{ secret(\'AWS_ACCESS_KEY_ID\') }}"',
  'secretKeyId: "{{ secret(\'AWS_SECRET_ACCESS_KEY\') }}"',
];

const minio = [
  'endpoint: https://minio.example.com:9000',
  'accessKeyId: "{{ secret(\'MINIO_ACCESS_KEY\') }}"',
  'secretKeyId: "{{ secret(\'MINIO_SECRET_KEY\') }}"',
];

const idOf = (type: string) =>
  type
    .replace(/\.(?=[^.]*$)/, '_')
    .split('.')
    .at(-1)
    ?.toLowerCase() ?? 'task';
const linesOf = (type: string) => (type.startsWith('minio.') ? minio : connection);
const indent = (lines: readonly string[]) => lines.map((line) => `    ${line}`).join('\n');

/** A complete flow around one task. */
export function taskExample(
  type: string,
  title: string,
  lines: readonly string[],
  inputs?: readonly string[],
): Example {
  const id = idOf(type);
  return {
    title,
    runs: false,
    code: `id: ${id}
namespace: company.team

${inputs === undefined ? '' : `inputs:\n${inputs.map((line) => `  ${line}`).join('\n')}\n\n`}tasks:
  - id: ${id}
    type: ${type}
${indent([...linesOf(type), ...lines])}
`,
  };
}

/** A complete flow that a trigger starts; `shows` is the expression that it logs. */
export function triggerExample(
  type: string,
  title: string,
  lines: readonly string[],
  shows: string,
): Example {
  return {
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
${indent([...linesOf(type), ...lines])}
`,
  };
}

export const fileInput = ['- id: file', '  type: FILE'];
