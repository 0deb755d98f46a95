import { analyzeTemplate, type CallUse, type Span, type Step, type VariableUse } from '@millrace/expression';
import type { FlowTemplate } from '../check/flowTemplates.ts';
import { scalarOffsets } from '../check/scalarOffsets.ts';
import type { Path } from '../flow/path.ts';
import { idPattern } from '../flow/read/readTask.ts';
import type { ScalarNode } from '../flow/yaml/node.ts';
import { type FlowDocument, nodeAt, toText } from './document.ts';

export type SymbolKind = 'task' | 'input' | 'variable' | 'trigger';

/** A place that names something of the flow. */
export interface Occurrence extends Span {
  /** `outputs.id` needs brackets when the new name has a dash. */
  readonly isDotted: boolean;
  /** The quote to use around a name in brackets. */
  readonly quote: '"' | "'";
}

/** Something that the flow defines under a name, with every place that uses the name. */
export interface FlowSymbol {
  readonly kind: SymbolKind;
  readonly id: string;
  readonly definition: Occurrence | undefined;
  readonly uses: readonly Occurrence[];
}

export interface TextEdit extends Span {
  readonly text: string;
}

/** Variables of expressions and the kind of name that follows them. */
const kindOf: Readonly<Record<string, SymbolKind>> = {
  outputs: 'task',
  tasks: 'task',
  inputs: 'input',
  vars: 'variable',
};

/** Every name that the flow defines or uses. */
export function symbolsOf(document: FlowDocument): FlowSymbol[] {
  const { flow, places, templates } = document;
  const symbols = new Map<
    string,
    { kind: SymbolKind; id: string; definition: Occurrence | undefined; uses: Occurrence[] }
  >();
  const symbol = (kind: SymbolKind, id: string) => {
    const key = `${kind} ${id}`;
    const found = symbols.get(key) ?? { kind, id, definition: undefined, uses: [] };
    symbols.set(key, found);
    return found;
  };
  const define = (kind: SymbolKind, id: string, path: Path) => {
    const { node } = nodeAt(document.root, path) ?? {};
    if (node?.kind === 'scalar') symbol(kind, id).definition ??= inScalar(document, node);
  };
  for (const { task, path } of places.all) define('task', task.id, [...path, 'id']);
  for (const [index, { id }] of (flow.inputs ?? []).entries()) define('input', id, ['inputs', index, 'id']);
  for (const [index, { id }] of (flow.triggers ?? []).entries())
    define('trigger', id, ['triggers', index, 'id']);
  for (const id of Object.keys(flow.variables ?? {})) {
    const key = nodeAt(document.root, ['variables', id])?.key;
    if (key) symbol('variable', id).definition = inScalar(document, key);
  }
  for (const template of templates)
    for (const { kind, id, ...at } of namesIn(document, template)) symbol(kind, id).uses.push(at);
  for (const { kind, id, node } of dependencies(document))
    symbol(kind, id).uses.push(inScalar(document, node));
  return [...symbols.values()];
}

export function symbolAt(document: FlowDocument, offset: number): FlowSymbol | undefined {
  const holds = ({ start, end }: Span) => start <= offset && offset <= end;
  return symbolsOf(document).find(
    ({ definition, uses }) => (definition && holds(definition)) || uses.some(holds),
  );
}

/** The edits that rename a symbol everywhere, or the reason why the name cannot be used. */
export function rename(
  document: FlowDocument,
  offset: number,
  name: string,
): { readonly edits: TextEdit[] } | { readonly refused: 'nothing' | 'invalid' | 'taken' } {
  const symbol = symbolAt(document, offset);
  if (!symbol) return { refused: 'nothing' };
  const isValid = symbol.kind === 'variable' ? /^[\w-]+$/.test(name) : idPattern.test(name);
  if (!isValid) return { refused: 'invalid' };
  const isTaken = symbolsOf(document).some(
    (other) => other.kind === symbol.kind && other.id === name && other.definition !== undefined,
  );
  if (isTaken && name !== symbol.id) return { refused: 'taken' };
  const places = [...(symbol.definition ? [symbol.definition] : []), ...symbol.uses];
  return { edits: places.map((place) => renamed(place, name)) };
}

const isPlainName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);

function renamed({ start, end, isDotted, quote }: Occurrence, name: string): TextEdit {
  if (!isDotted || isPlainName(name)) return { start, end, text: name };
  // The dot in front of the name goes.
  return { start: start - 1, end, text: `[${quote}${name}${quote}]` };
}

function inScalar({ text }: FlowDocument, node: ScalarNode): Occurrence {
  const toOffset = scalarOffsets(text, node);
  return { start: toOffset(0), end: toOffset(node.text.length), isDotted: false, quote: "'" };
}

type Named = Occurrence & { readonly kind: SymbolKind; readonly id: string };

function namesIn({ text, places }: FlowDocument, template: FlowTemplate): Named[] {
  const spanOf = toText(text, template);
  const quote = text[template.node.start] === "'" ? '"' : "'";
  const occurrence = (kind: SymbolKind, id: string, at: Span, isDotted: boolean): Named => {
    // The quotes around a name are not part of it.
    const inner = isDotted ? at : { start: at.start + 1, end: at.end - 1 };
    return { kind, id, isDotted, quote, ...spanOf(inner) };
  };
  return analyzeTemplate(template.source).uses.flatMap((use): Named[] => {
    if (use.kind !== 'variable') return textNames(use).map(([id, at]) => occurrence('task', id, at, false));
    const kind = kindOf[use.name];
    const step = kind && nameStep(use);
    if (!kind || !step) return [];
    // `outputs.batch_merge` belongs to a stage of the task, which has no separate text.
    const isStage =
      kind === 'task' && places.byId.has(step.key) && places.byId.get(step.key)?.task.id !== step.key;
    return isStage ? [] : [occurrence(kind, step.key, step, step.isDotted)];
  });
}

function nameStep({ steps: [first] }: VariableUse): (Step & { readonly key: string }) | undefined {
  return first?.key === undefined ? undefined : { ...first, key: first.key };
}

function textNames({ kind, name, texts }: CallUse): [string, Span][] {
  if (kind !== 'function' || name !== 'iterationOutput') return [];
  return texts
    .filter((argument) => argument.index === 0 || argument.name === 'taskId')
    .map((argument) => [argument.text, argument]);
}

/** Names in `dependsOn`: of a Dag its tasks, of inputs other inputs. */
function dependencies({
  root,
  flow,
  places,
}: FlowDocument): { kind: SymbolKind; id: string; node: ScalarNode }[] {
  const found: { kind: SymbolKind; id: string; node: ScalarNode }[] = [];
  const collect = (kind: SymbolKind, path: Path) => {
    const { node } = nodeAt(root, path) ?? {};
    for (const item of node?.kind === 'list' ? node.items : [])
      if (item.kind === 'scalar') found.push({ kind, id: item.text, node: item });
  };
  for (const { parent, path } of places.all)
    if (parent?.control === 'core.flow.Dag' && path.at(-1) === 'task')
      collect('task', [...path.slice(0, -1), 'dependsOn']);
  for (const index of (flow.inputs ?? []).keys()) collect('input', ['inputs', index, 'dependsOn', 'inputs']);
  return found;
}
