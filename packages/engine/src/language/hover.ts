import {
  analyzeTemplate,
  type CallUse,
  type Span,
  signatureOf,
  type VariableUse,
} from '@millrace/expression';
import { propertiesOf, shapeAt } from '../check/outputShape.ts';
import { loopsAround } from '../check/taskPlaces.ts';
import { type LanguageContext, shapesOf } from './context.ts';
import { filterDocs, testDocs } from './docs/filters.ts';
import { functionDocs } from './docs/functions.ts';
import { variableDocs } from './docs/variables.ts';
import { type FlowDocument, templateAt, toText } from './document.ts';
import { valueAt } from './members.ts';
import { labelOf, parametersOf } from './signature.ts';

export interface Hover extends Span {
  /** Code of the thing itself, such as a signature. */
  readonly code: string;
  readonly description: string;
  /** The value in the last execution, as text. */
  readonly value?: { readonly text: string; readonly executionId: string };
}

export function hoverAt(document: FlowDocument, offset: number, context: LanguageContext): Hover | undefined {
  const template = templateAt(document, offset);
  if (!template) return undefined;
  const spanOf = toText(document.text, template);
  const holds = (span: Span) => {
    const { start, end } = spanOf(span);
    return start <= offset && offset < end;
  };
  for (const use of analyzeTemplate(template.source).uses) {
    if (use.kind !== 'variable') {
      const found = holds(use) && aboutCall(use);
      if (found) return { ...found, ...spanOf(use) };
      continue;
    }
    const parts = [use, ...use.steps];
    const index = parts.findIndex(holds);
    const last = parts[index];
    if (last)
      return {
        ...aboutVariable(use, index, document, context),
        ...spanOf({ start: use.start, end: last.end }),
      };
  }
  return undefined;
}

function aboutCall({ kind, name }: CallUse): Omit<Hover, 'start' | 'end'> | undefined {
  const signature = signatureOf(kind, name);
  if (!signature) return undefined;
  const docs = { function: functionDocs, filter: filterDocs, test: testDocs }[kind];
  return { code: labelOf(name, parametersOf(signature)), description: docs[name] ?? '' };
}

/** About a variable and the first `depth` steps from it. */
function aboutVariable(
  { name, steps }: VariableUse,
  depth: number,
  document: FlowDocument,
  context: LanguageContext,
): Omit<Hover, 'start' | 'end'> {
  const keys = steps.slice(0, depth).map(({ key }) => key ?? '[…]');
  const code = [name, ...keys].join('.').replaceAll('.[…]', '[…]');
  const value = keys.includes('[…]') ? undefined : lastValue([name, ...keys], context);
  return { code, description: describe(name, keys, document, context), ...(value && { value }) };
}

function describe(
  name: string,
  keys: readonly string[],
  { flow, places }: FlowDocument,
  context: LanguageContext,
): string {
  const [first] = keys;
  if (first === undefined) return variableDocs[name] ?? '';
  if (name === 'inputs') {
    const input = flow.inputs?.find(({ id }) => id === keys.join('.'));
    return input ? [input.type, input.description ?? input.displayName ?? ''].filter(Boolean).join(': ') : '';
  }
  if (name === 'trigger') {
    const shapes = (flow.triggers ?? []).map(({ type }) => shapesOf(context)(type)?.outputs);
    return shapes.map((shape) => describeOutput(shape, keys)).find((text) => text !== '') ?? '';
  }
  const place = name === 'outputs' || name === 'tasks' ? places.byId.get(first) : undefined;
  if (!place) return '';
  if (keys.length === 1) return place.task.type;
  const inner = keys.slice(1 + loopsAround(place).length);
  return name === 'outputs' ? describeOutput(shapesOf(context)(place.task.type)?.outputs, inner) : '';
}

function describeOutput(schema: unknown, keys: readonly string[]): string {
  if (keys.length === 0) return '';
  const holder = shapeAt(
    schema,
    keys.slice(0, -1).map((key) => ({ key })),
  );
  const property: unknown = propertiesOf(holder)?.[keys.at(-1) ?? ''];
  const about = shapeAt(property, []);
  return typeof about?.description === 'string' ? about.description : '';
}

const maxValue = 1000;

function lastValue(path: readonly string[], { lastExecution }: LanguageContext): Hover['value'] {
  if (!lastExecution) return undefined;
  const value = valueAt(lastExecution.variables, path);
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const short = text.length > maxValue ? `${text.slice(0, maxValue)}…` : text;
  return { text: short, executionId: lastExecution.id };
}
