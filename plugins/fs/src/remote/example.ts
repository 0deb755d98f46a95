import type { Example } from '@millrace/plugin-kit';
import type { Protocol } from './protocol.ts';

interface ExampleParts {
  /** YAML of inputs, indented. */
  readonly inputs?: string;
  /** Properties of the task. */
  readonly lines: readonly string[];
  /** YAML of the tasks that follow, indented. */
  readonly then?: string;
}

/** A complete flow around one task of the protocol. */
export const exampleFlow = (
  protocol: Pick<Protocol, 'name' | 'example'>,
  type: string,
  title: string,
  { inputs, lines, then }: ExampleParts,
): Example => ({
  title,
  runs: false,
  code: `id: ${protocol.name}_${type.toLowerCase()}
namespace: company.team

${inputs === undefined ? '' : `inputs:\n${inputs}\n\n`}tasks:
  - id: ${type.toLowerCase()}
    type: fs.${protocol.name}.${type}
${[...protocol.example, ...lines].map((line) => `    ${line}`).join('\n')}
${then === undefined ? '' : `\n${then}\n`}`,
});
