import { AppError, type executionActions, type Task } from '@millrace/contract';
import { childLists, hasExpression } from '@millrace/engine';
import { type Host, render, type Variables } from '@millrace/expression';
import { messageOf } from '@millrace/plugin-kit';
import { type EvaluationParts, openPlace, shorten } from './evaluateExpression.ts';

type Rendered = executionActions.RenderedProperties;

const maxTexts = 500;
const longestText = 100_000;

/**
 * The properties of a task, rendered with the variables of one of its task runs as they are now. Tasks inside
 * a control task are left out, and secrets are masked.
 */
export async function renderProperties(
  place: { readonly executionId: string; readonly taskRunId: string },
  parts: EvaluationParts,
): Promise<Rendered> {
  const { variables, host, task, taskRun } = await openPlace(place, parts);
  if (!task) {
    const message = `the flow has no task "${taskRun?.taskId}", because the task run was generated when it ran`;
    throw new AppError('illegal-argument', message);
  }
  const problems: Rendered['problems'] = [];
  const properties = await renderAll(ownProperties(task), { variables, host, problems, texts: 0 }, '');
  return { type: task.type, properties, problems };
}

function ownProperties(task: Task): Readonly<Record<string, unknown>> {
  const hidden = new Set(['id', 'type', ...childLists(task).map(({ branch }) => branch.split('.')[0])]);
  return Object.fromEntries(Object.entries(task).filter(([name]) => !hidden.has(name)));
}

interface Rendering {
  readonly variables: Variables;
  readonly host: Host;
  readonly problems: Rendered['problems'];
  texts: number;
}

async function renderAll(
  values: Readonly<Record<string, unknown>>,
  rendering: Rendering,
  above: string,
): Promise<Record<string, unknown>> {
  const rendered: [string, unknown][] = [];
  for (const [name, value] of Object.entries(values))
    rendered.push([name, await renderOne(value, rendering, above === '' ? name : `${above}.${name}`)]);
  return Object.fromEntries(rendered);
}

async function renderOne(value: unknown, rendering: Rendering, property: string): Promise<unknown> {
  if (Array.isArray(value)) return Object.values(await renderAll({ ...value }, rendering, property));
  if (typeof value === 'object' && value !== null) return renderAll({ ...value }, rendering, property);
  if (typeof value !== 'string' || !hasExpression(value)) return value;
  if (++rendering.texts > maxTexts) {
    rendering.problems.push({ property, message: `only the first ${maxTexts} expressions are rendered` });
    return value;
  }
  try {
    const text = await render(value, rendering.variables, rendering.host);
    return text.length <= longestText ? text : `${text.slice(0, longestText)}…`;
  } catch (error) {
    rendering.problems.push({ property, message: shorten(messageOf(error)) });
    return value;
  }
}
