import type { Example, JsonMap } from '@millrace/plugin-kit';
import { isMap } from '@millrace/plugin-kit';

/** A complete flow with one task of a type. Expressions with `inputs.file` add that input to the flow. */
export function taskExample(type: string, title: string, properties: JsonMap): Example {
  const usesFile = JSON.stringify(properties).includes('inputs.file');
  return {
    title: `${title}.`,
    runs: false,
    code: `id: ${flowId(type)}
namespace: company.team
${usesFile ? '\ninputs:\n  - id: file\n    type: FILE\n' : ''}
tasks:
  - id: ${taskId(type)}
    type: ${type}
${toYaml(properties, 4)}`,
  };
}

/** A whole flow that a trigger of this type starts. */
export const triggerExample = (type: string, title: string, properties: JsonMap): Example => ({
  title: `${title}.`,
  runs: false,
  code: `id: ${flowId(type)}
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger }}"

triggers:
  - id: watch
    type: ${type}
${toYaml(properties, 4)}`,
});

const flowId = (type: string): string => snake(type.replaceAll('.', '_'));
const taskId = (type: string): string => snake(type.split('.').at(-1) ?? type);
const snake = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();

/** Block style, as users write it. */
function toYaml(value: JsonMap, indent: number): string {
  const space = ' '.repeat(indent);
  return Object.entries(value)
    .map(([key, item]) => `${space}${key}:${inBlock(item, indent)}`)
    .join('');
}

function inBlock(value: unknown, indent: number): string {
  const space = ' '.repeat(indent);
  if (isMap(value) && Object.keys(value).length > 0) return `\n${toYaml(value, indent + 2)}`;
  if (Array.isArray(value) && value.length > 0)
    return `\n${value
      .map((item) => {
        const block = isMap(item) ? toYaml(item, indent + 4).trimStart() : `${scalar(item)}\n`;
        return `${space}  - ${block}`;
      })
      .join('')}`;
  if (typeof value === 'string' && value.includes('\n') && !/^\s/.test(value))
    return ` ${value.endsWith('\n') ? '|' : '|-'}\n${value.trimEnd().replace(/^(?=.)/gm, `${space}  `)}\n`;
  return ` ${scalar(value)}\n`;
}

const scalar = (value: unknown): string =>
  typeof value === 'string' &&
  /^[A-Za-z/](?:[\w ./@-]*[\w/])?$/.test(value) &&
  !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(value)
    ? value
    : JSON.stringify(value);
