import type { Issue } from '@millrace/contract';
import type { Span } from '@millrace/expression';
import type { TaskPlace } from '../check/taskPlaces.ts';
import { nearestName } from '../flow/nearestName.ts';
import { formatPath, type Path, parsePath } from '../flow/path.ts';
import { hasExpression } from '../flow/subflowTarget.ts';
import { shortType } from '../flow/typeName.ts';
import { Lines } from '../flow/yaml/lines.ts';
import { pathAtOffset } from '../flow/yaml/locate.ts';
import type { MapNode, ScalarNode } from '../flow/yaml/node.ts';
import { type LanguageContext, typeNamed } from './context.ts';
import { type FlowDocument, nodeAt } from './document.ts';
import { placeholderFor } from './placeholder.ts';
import type { TextEdit } from './symbols.ts';

/** A change that the editor offers. The editor has the words for each kind. */
export interface Fix {
  readonly kind: 'replace' | 'addProperty' | 'replaceType' | 'extract' | 'wrap';
  /** The name, property or type that the fix is about. */
  readonly name: string;
  readonly edits: readonly TextEdit[];
  /** The part of the changed text that the user replaces next. */
  readonly selected?: Span;
  /** The finding that it settles. */
  readonly issue?: Issue;
}

/** The fixes for the findings at a place, and the changes that can be made there. */
export function fixesAt(
  document: FlowDocument,
  { start, end }: Span,
  issues: readonly Issue[],
  context: LanguageContext,
): Fix[] {
  const lines = new Lines(document.text);
  const here = pathAtOffset(document.root, start);
  const isNear = ({ range }: Issue) =>
    range !== undefined && lines.offsetOf(range.start) <= end && lines.offsetOf(range.end) >= start;
  return [
    ...issues.filter(isNear).flatMap((issue) => replacement(document, issue, lines)),
    ...issues
      .filter((issue) => isNear(issue) || issue.path === formatPath(here))
      .flatMap((issue) => misspelledProperty(document, issue)),
    ...issues
      .filter((issue) => isNear(issue) || isBeside(parsePath(issue.path) ?? [], here))
      .flatMap((issue) => missingProperty(document, issue, context)),
    ...olderType(document, start, context),
    ...extraction(document, start),
    ...wraps(document, start),
  ];
}

/** A missing property is also offered at the properties beside it: the finding itself is at the first one. */
const isBeside = (missing: Path, here: Path): boolean =>
  here.length > 0 &&
  here.length === missing.length &&
  missing.slice(0, -1).every((step, index) => step === here[index]);

const meant = /did you mean "?([^"?]+)"?\?$/;

/** The end of a message about a task in a loop, from the task on: `write outputs.a[taskrun.value].uri`. */
const inLoop = /: write outputs\.([\w-]+)(\[[\w.]+\]\.(\w+))$/;

function replacement({ text }: FlowDocument, issue: Issue, lines: Lines): Fix[] {
  if (!issue.range) return [];
  const start = lines.offsetOf(issue.range.start);
  const end = lines.offsetOf(issue.range.end);
  const [, , iteration, property] = inLoop.exec(issue.message) ?? [];
  if (iteration !== undefined && text.slice(start - 1, end) === `.${property}`)
    return [{ kind: 'replace', name: iteration, issue, edits: [{ start: start - 1, end, text: iteration }] }];
  const [, name] = meant.exec(issue.message) ?? [];
  if (name === undefined) return [];
  const [quote = ''] = /^\\?["']/.exec(text.slice(start, end)) ?? [];
  return [{ kind: 'replace', name, issue, edits: [{ start, end, text: quote + name + quote }] }];
}

const unknownProperty = /^Unrecognized (?:field|property) ".*"; known (?:fields|properties): (.+)$/;

/** A property that does not exist becomes the one whose name is like it. */
function misspelledProperty({ root }: FlowDocument, issue: Issue): Fix[] {
  const [, known] = unknownProperty.exec(issue.message) ?? [];
  const path = parsePath(issue.path) ?? [];
  const holder = nodeAt(root, path.slice(0, -1))?.node;
  if (known === undefined || holder?.kind !== 'map') return [];
  const written = holder.entries.map(({ key }) => key.text);
  const key = holder.entries.find((entry) => entry.key.text === path.at(-1))?.key;
  const name =
    key &&
    nearestName(
      key.text,
      known.split(/[\s|]+/).filter((each) => !written.includes(each)),
    );
  if (!key || name === undefined) return [];
  return [{ kind: 'replace', name, issue, edits: [{ start: key.start, end: key.end, text: name }] }];
}

/** A finding about a property that is not there can be settled by writing it, with a value to begin with. */
function missingProperty(document: FlowDocument, issue: Issue, context: LanguageContext): Fix[] {
  const path = parsePath(issue.path) ?? [];
  const name = path.at(-1);
  const holder = nodeAt(document.root, path.slice(0, -1))?.node;
  if (issue.severity !== 'error' || typeof name !== 'string' || holder?.kind !== 'map') return [];
  if (holder.entries.some(({ key }) => key.text === name)) return [];
  const place = insertionPlace(document.text, holder);
  if (!place) return [];
  const type = holder.entries.find(({ key }) => key.text === 'type')?.value;
  const known = type?.kind === 'scalar' ? typeNamed(context, type.text) : undefined;
  const { text, replaced } = placeholderFor(name, known?.properties?.[name], place);
  const before = `${place.before}${name}:${text.startsWith('\n') ? '' : ' '}`;
  const start = place.at + before.length + replaced.start;
  const end = place.at + before.length + replaced.end;
  const edits = [{ start: place.at, end: place.at, text: before + text }];
  return [{ kind: 'addProperty', name, issue, edits, selected: { start, end } }];
}

interface InsertionPlace {
  readonly at: number;
  readonly before: string;
  readonly indentation: number;
  readonly isInline: boolean;
}

/** Behind the type, or behind the last property. */
function insertionPlace(text: string, holder: MapNode): InsertionPlace | undefined {
  const after = holder.entries.find(({ key }) => key.text === 'type') ?? holder.entries.at(-1);
  if (!after) return undefined;
  if (text[holder.start] === '{')
    return { at: after.value.end, before: ', ', indentation: 0, isInline: true };
  const indentation = columnOf(text, after.key.start);
  // A block ends behind its last line break.
  const end = text.slice(0, after.value.end).trimEnd().length;
  return {
    at: lineEnd(text, Math.max(end, after.key.end)),
    before: `\n${' '.repeat(indentation)}`,
    indentation,
    isInline: false,
  };
}

/** A type that is written under an older name. */
function olderType(document: FlowDocument, offset: number, context: LanguageContext): Fix[] {
  const path = pathAtOffset(document.root, offset);
  if (path.at(-1) !== 'type') return [];
  const node = scalarAt(document, path);
  const known = node && typeNamed(context, node.text);
  if (!node || !known || known.type === shortType(node.text)) return [];
  return [
    {
      kind: 'replaceType',
      name: known.type,
      edits: [{ start: node.start, end: node.end, text: known.type }],
    },
  ];
}

const keptProperties = new Set(['id', 'type', 'namespace', 'flowId', 'version', 'description']);

/** Moves a value of a task into the variables of the flow. */
function extraction(document: FlowDocument, offset: number): Fix[] {
  const { text, root, flow } = document;
  const path = pathAtOffset(root, offset);
  const node = scalarAt(document, path);
  const property = path.findLast((step) => typeof step === 'string');
  if (!node || typeof property !== 'string' || keptProperties.has(property) || !placeAt(document, path))
    return [];
  const raw = text.slice(node.start, node.end);
  const isInside = node.start <= offset && offset <= node.end;
  if (!isInside || raw === '' || raw.includes('\n') || node.text.includes('vars.')) return [];
  const name = freeName(property.replaceAll(/[^\w]/g, '_'), Object.keys(flow.variables ?? {}));
  const reads = hasExpression(node.text) ? `"{{ render(vars.${name}) }}"` : `"{{ vars.${name} }}"`;
  const added = addVariable(document, `${name}: ${raw}`);
  return added
    ? [{ kind: 'extract', name, edits: [added, { start: node.start, end: node.end, text: reads }] }]
    : [];
}

function addVariable({ text, root }: FlowDocument, line: string): TextEdit | undefined {
  if (root.kind !== 'map') return undefined;
  const variables = root.entries.find(({ key }) => key.text === 'variables')?.value;
  if (variables?.kind === 'map' && text[variables.start] !== '{') {
    const at = variables.start;
    return { start: at, end: at, text: `${line}\n${' '.repeat(columnOf(text, at))}` };
  }
  if (variables) return undefined;
  const tasks = root.entries.find(({ key }) => key.text === 'tasks');
  return tasks && { start: tasks.key.start, end: tasks.key.start, text: `variables:\n  ${line}\n\n` };
}

const wrappers = [
  { name: 'core.flow.If', prefix: 'if', lines: ['condition: "{{ true }}"', 'then:'] },
  { name: 'core.flow.ForEach', prefix: 'each', lines: ['values: []', 'tasks:'] },
  { name: 'core.flow.AllowFailure', prefix: 'allow', lines: ['tasks:'] },
];

/** Puts the task at the cursor into another one. */
function wraps(document: FlowDocument, offset: number): Fix[] {
  const { text, places } = document;
  const place = placeAt(document, pathAtOffset(document.root, offset));
  const node = place && nodeAt(document.root, place.path)?.node;
  if (!place || node?.kind !== 'map' || text[node.start] === '{' || typeof place.path.at(-1) !== 'number')
    return [];
  // Only a line `- id: …` can be moved as a block, and a folder holds no control tasks.
  const lineStart = text.lastIndexOf('\n', node.start - 1) + 1;
  const [, column = '', dash] = /^(\s*)(-\s+)$/.exec(text.slice(lineStart, node.start)) ?? [];
  if (dash === undefined || place.parent?.control === 'core.flow.WorkingDirectory') return [];
  const end = lineStart + text.slice(lineStart, node.end).trimEnd().length;
  const body = text.slice(lineStart, end).replaceAll(/^(?=.*\S)/gm, '    ');
  const ids = places.all.map(({ task }) => task.id);
  return wrappers.map(({ name, prefix, lines }) => {
    const id = freeName(`${prefix}_${place.task.id}`, ids);
    const head = [`${column}- id: ${id}`, `type: ${name}`, ...lines].join(`\n${column}  `);
    return { kind: 'wrap', name, edits: [{ start: lineStart, end, text: `${head}\n${body}` }] };
  });
}

/** The innermost task around a path. */
function placeAt({ places }: FlowDocument, path: Path): TaskPlace | undefined {
  return places.all.findLast(
    (place) => place.path.length <= path.length && place.path.every((step, index) => step === path[index]),
  );
}

function scalarAt({ root }: FlowDocument, path: Path): ScalarNode | undefined {
  const node = nodeAt(root, path)?.node;
  return node?.kind === 'scalar' ? node : undefined;
}

function freeName(wanted: string, taken: readonly string[]): string {
  let name = wanted;
  for (let count = 2; taken.includes(name); count++) name = `${wanted}_${count}`;
  return name;
}

const lineEnd = (text: string, from: number): number => {
  const at = text.indexOf('\n', from);
  const end = at < 0 ? text.length : at;
  return text[end - 1] === '\r' ? end - 1 : end;
};

const columnOf = (text: string, at: number): number => at - (text.lastIndexOf('\n', at - 1) + 1);
