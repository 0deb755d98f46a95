import type { Node } from './node.ts';
import type { Run } from './run.ts';
import { secretTexts } from './secretInputs.ts';

/** Properties whose value decides what runs. */
const decisive: ReadonlySet<string> = new Set(['runIf', 'condition', 'value', 'values']);
/** Longer values would make the record larger than the execution. */
const maxLength = 300;

/** Records the rendered value of an expression that decides what runs; secrets are masked. */
export function noteDecision(run: Run, node: Node, key: string, template: unknown, value: unknown): void {
  // A loop evaluates its condition under another key in each iteration.
  const property = key.split('#')[0] ?? key;
  const expression = textOf(template);
  // A literal decides nothing that the flow does not already say.
  if (!decisive.has(property) || !/\{[{%]/.test(expression)) return;
  const { id, taskId } = node.record;
  run.note({
    type: 'decided',
    taskRunId: id,
    taskId,
    property,
    expression: shorten(expression),
    value: shorten(covered(run, textOf(value))),
  });
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));

const shorten = (text: string): string => (text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);

function covered(run: Run, text: string): string {
  const secrets = secretTexts(run);
  const { cover } = run.environment;
  if (secrets.length === 0) return text;
  // Without a way to mask, the value stays out of the record.
  return cover ? cover(text, secrets) : '***';
}
