import { stateTypes } from '@millrace/contract';
import { filterNames, functionSignatures, signatureOf, testNames } from '@millrace/expression';
import type { TemplateScope } from '../check/flowTemplates.ts';
import { formatPath, type Path } from '../flow/path.ts';
import { isData } from '../flow/read/fields.ts';
import { subflowTarget } from '../flow/subflowTarget.ts';
import { pathAtOffset } from '../flow/yaml/locate.ts';
import type { ExecutionValues, LanguageContext } from './context.ts';
import { type CursorPlace, type OpenCall, placeAt } from './cursor.ts';
import { filterDocs, testDocs } from './docs/filters.ts';
import { functionDocs } from './docs/functions.ts';
import { type FlowDocument, nodeAt, readDocument } from './document.ts';
import { indexesOf, type Member, membersOf, variablesIn } from './members.ts';
import { labelOf, maxLookBack, parametersOf } from './signature.ts';

export type CompletionKind =
  | 'variable'
  | 'property'
  | 'function'
  | 'filter'
  | 'keyword'
  | 'value'
  | 'file'
  | 'reference';

export interface Completion {
  readonly label: string;
  readonly kind: CompletionKind;
  /** The text to insert; `$0` is where the cursor goes, if there is one. */
  readonly insert: string;
  /** Where the text to replace begins; it ends at the cursor. */
  readonly from: number;
  readonly detail?: string;
  readonly documentation?: string;
}

/** The completions at a cursor: in expressions, and of values that name something outside of the text. */
export function complete(
  text: string,
  offset: number,
  document: FlowDocument | undefined,
  context: LanguageContext,
): Completion[] {
  const before = text.slice(Math.max(0, offset - maxLookBack), offset);
  const place = placeAt(before);
  if (place && isOneValue(before))
    return document ? completeExpression(place, offset, document, context) : [];
  return document ? completeValue(text, offset, document, context) : [];
}

/** The completions at the end of a template that is typed in a form, for the value at a path of the flow. */
export function completeTemplate(
  before: string,
  document: FlowDocument,
  path: Path,
  context: LanguageContext,
): Completion[] {
  const place = placeAt(before);
  if (!place) return [];
  const cursor = nodeAt(document.root, path)?.node.start ?? 0;
  return fitting(place, completeExpression(place, before.length, { ...document, cursor }, context));
}

const fitting = ({ begun }: CursorPlace, all: readonly Completion[]): Completion[] =>
  all.filter(({ label }) => label.toLowerCase().startsWith(begun.toLowerCase()) && label !== begun);

/**
 * The completions at the end of an expression about an execution: its values, however deep, and the names of its flow.
 * A text without braces is one expression.
 */
export function completeInExecution(
  before: string,
  flow: FlowDocument | undefined,
  execution: ExecutionValues,
): Completion[] {
  const lead = /\{\{|\{%/.test(before) ? '' : '{{ ';
  const place = placeAt(lead + before);
  const document = flow ?? readDocument('tasks: []', 0);
  if (!place || !document) return [];
  const context = { types: [], lastExecution: execution };
  const found = completeExpression(place, before.length, document, context, true);
  return fitting(place, found).map((one) => {
    // A field of text does not close brackets by itself.
    if (place.kind === 'operand' && one.kind === 'value') return { ...one, insert: `${one.insert}]` };
    if (place.kind !== 'member' || !place.isQuoted) return one;
    const insert = isPlainName(one.label) ? `.${one.label}` : `['${one.label}']`;
    return { ...one, insert, from: one.from - 2 };
  });
}

/** Whether the expression is in the value that the cursor is in; it may be open in a line above by mistake. */
function isOneValue(before: string): boolean {
  const start = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'));
  const lines = before.slice(start).split('\n').slice(1);
  return !lines.some((line) => /^\s*(- )?[\w-]+:(\s|$)/.test(line));
}

function completeExpression(
  place: CursorPlace,
  offset: number,
  document: FlowDocument,
  context: LanguageContext,
  isRecorded = false,
): Completion[] {
  const scope = isRecorded ? undefined : scopeAt(document);
  const from = offset - place.begun.length;
  switch (place.kind) {
    case 'tag':
      return tags.map((label) => ({ label, kind: 'keyword', insert: label, from }));
    case 'filter':
      return filterNames.map((name) => called('filter', name, filterDocs[name], from));
    case 'test':
      return testNames.map((name) => called('filter', name, testDocs[name], from, 'test'));
    case 'member':
      return membersOf(place.path, { document, scope, context, isRecorded }).flatMap((member) =>
        memberCompletion(member, place.isQuoted, from),
      );
    case 'text':
      return textsFor(place.call, document, context).map(({ name, detail, kind }) => ({
        label: name,
        kind,
        insert: name,
        from,
        ...(detail !== undefined && { detail }),
      }));
    case 'operand':
      return [
        ...(place.keyOf ? indexesOf(place.keyOf, context) : []).map(
          ({ name, detail = '' }): Completion => ({ label: name, kind: 'value', insert: name, from, detail }),
        ),
        ...variablesIn({ scope }).map(
          ({ name, description }): Completion => ({
            label: name,
            kind: 'variable',
            insert: name,
            from,
            documentation: description ?? '',
          }),
        ),
        ...functionSignatures
          .filter(({ name }) => !hiddenFunctions.has(name))
          .map(({ name }) => called('function', name, functionDocs[name], from)),
      ];
  }
}

const tags = [
  'if',
  'elseif',
  'else',
  'endif',
  'for',
  'endfor',
  'set',
  'macro',
  'endmacro',
  'filter',
  'raw',
  'endraw',
];
/** Names that are kept for old flows. */
const hiddenFunctions = new Set(['parent', 'fileEmpty', 'json', 'printContext', 'block']);

function called(
  kind: 'function' | 'filter',
  name: string,
  documentation: string | undefined,
  from: number,
  signatureKind: 'function' | 'filter' | 'test' = kind,
): Completion {
  const signature = signatureOf(signatureKind, name) ?? { names: [] };
  const takesArguments = signature.variadic === true || signature.names.length > 0;
  const needsThem = signature.variadic === true || (signature.required ?? 0) > 0;
  const parentheses = kind === 'function' ? (takesArguments ? '($0)' : '()') : needsThem ? '($0)' : '';
  return {
    label: name,
    kind,
    insert: name + parentheses,
    from,
    detail: labelOf(name, parametersOf(signature)),
    documentation: documentation ?? '',
  };
}

const isPlainName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

function memberCompletion(
  { name, detail, description, isComputed }: Member,
  isQuoted: boolean,
  from: number,
): Completion[] {
  const about = {
    label: name,
    kind: 'property' as const,
    ...(detail !== undefined && { detail }),
    documentation: description ?? '',
  };
  if (isQuoted) return isComputed ? [] : [{ ...about, insert: name, from }];
  // A name with a dash would be a subtraction, so both replace the dot.
  if (isComputed) return [{ ...about, insert: name, from: from - 1 }];
  if (!isPlainName(name)) return [{ ...about, insert: `['${name}']`, from: from - 1 }];
  return [{ ...about, insert: name, from }];
}

interface Text {
  readonly name: string;
  readonly detail?: string;
  readonly kind: CompletionKind;
}

const fileFunctions = new Set(['read', 'fileURI', 'fileSize', 'fileExists', 'isFileEmpty', 'fileEmpty']);

/** The texts that a function can take at the cursor. */
function textsFor(
  { kind, name, index, argument }: OpenCall,
  document: FlowDocument,
  context: LanguageContext,
): Text[] {
  const parameter = argument ?? signatureOf(kind, name)?.names[index];
  const values = (names: readonly string[] = [], of: CompletionKind = 'value'): Text[] =>
    names.map((each) => ({ name: each, kind: of }));
  if (parameter === 'namespace')
    return values([...new Set((context.flows ?? []).map(({ namespace }) => namespace))], 'reference');
  if (name === 'secret' && parameter === 'key') return values(context.secrets);
  if (name === 'kv' && parameter === 'key') return values(context.kvKeys);
  if (fileFunctions.has(name) && parameter === 'path') return values(context.files, 'file');
  if (name === 'tasksWithState') return values(stateTypes);
  if (name === 'iterationOutput' && parameter === 'taskId')
    return document.places.all.map(({ task }) => ({ name: task.id, detail: task.type, kind: 'reference' }));
  if (name === 'subflow' && parameter === 'id')
    return (context.flows ?? []).map(({ id, namespace }) => ({
      name: id,
      detail: namespace,
      kind: 'reference',
    }));
  return [];
}

/** Where the expression at the cursor is rendered. */
export function scopeAt({ root, places, cursor }: FlowDocument): TemplateScope | undefined {
  const path = pathAtOffset(root, cursor);
  for (let length = path.length; length > 0; length--) {
    const place = places.byPath.get(formatPrefix(path, length));
    if (place) return { kind: 'task', place, property: String(path[length] ?? ''), isNested: false };
  }
  if (path[0] === 'triggers') return { kind: 'trigger' };
  return path[0] === 'inputs' ? { kind: 'input' } : path[0] === 'outputs' ? { kind: 'output' } : undefined;
}

/** Values without an expression that name something: flows, groups of workers, tasks, inputs. */
function completeValue(
  text: string,
  offset: number,
  document: FlowDocument,
  context: LanguageContext,
): Completion[] {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const line = text.slice(lineStart, offset);
  const path = pathAtOffset(document.root, document.cursor);
  const begun = /[^\s:[,"'-]*$|[\w.-]*$/.exec(line)?.[0] ?? '';
  const from = offset - begun.length;
  const offer = (names: readonly Text[]): Completion[] =>
    names.map(({ name, detail, kind }) => ({
      label: name,
      kind,
      insert: name,
      from,
      ...(detail !== undefined && { detail }),
    }));
  const isValue = /:\s+\S*$/.test(line) || /^\s*-\s+\S*$/.test(line) || /\[[^\]]*$/.test(line);
  return offer(isValue ? namesAt(path, document, context) : keysAt(path, document, context));
}

function namesAt(path: Path, { root, flow, places }: FlowDocument, context: LanguageContext): Text[] {
  const last = path.findLast((step) => typeof step === 'string');
  const keys = path.filter((step) => typeof step === 'string');
  if (last === 'key' && keys.at(-2) === 'workerGroup')
    return (context.workerGroups ?? []).map((name) => ({ name, kind: 'value' }));
  if (last === 'dependsOn') {
    // In a Dag, the other tasks of the same Dag.
    const dag = places.byPath.get(formatPrefix(path, path.lastIndexOf('tasks')));
    return places.all
      .filter(({ parent }) => parent !== undefined && parent === dag)
      .map(({ task }) => ({ name: task.id, detail: task.type, kind: 'reference' }));
  }
  if (path[0] === 'inputs' && keys.at(-2) === 'dependsOn' && last === 'inputs')
    return (flow.inputs ?? []).map(({ id, type }) => ({ name: id, detail: type, kind: 'reference' }));
  const holder = nodeAt(root, path.slice(0, -1))?.node;
  if (last !== 'flowId' && last !== 'namespace') return [];
  const flows = context.flows ?? [];
  if (last === 'namespace')
    return [...new Set(flows.map(({ namespace }) => namespace))].map((name) => ({ name, kind: 'reference' }));
  const written =
    holder?.kind === 'map' ? holder.entries.find(({ key }) => key.text === 'namespace')?.value : undefined;
  const namespace = written?.kind === 'scalar' && written.text !== '' ? written.text : undefined;
  return flows
    .filter((known) => namespace === undefined || known.namespace === namespace)
    .map(({ id, namespace: of }) => ({ name: id, detail: of, kind: 'reference' }));
}

/** Names of properties that the schema does not know: the inputs of the called flow. */
function keysAt(path: Path, { places }: FlowDocument, context: LanguageContext): Text[] {
  const at = path.lastIndexOf('inputs');
  const task = at > 0 ? places.byPath.get(formatPrefix(path, at))?.task : undefined;
  const target = task && subflowTarget(task);
  if (!task || !target) return [];
  const called = context.flows?.find(
    ({ namespace, id }) => namespace === target.namespace && id === target.flowId,
  );
  const given = isData(task.inputs) ? task.inputs : {};
  return (called?.inputs ?? [])
    .filter(({ id }) => !Object.hasOwn(given, id))
    .map(({ id, type }) => ({ name: `${id}: `, detail: type, kind: 'property' }));
}

const formatPrefix = (path: Path, length: number): string => formatPath(path.slice(0, Math.max(0, length)));
