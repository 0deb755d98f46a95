import { type Path, readYaml } from '@millrace/engine';
import { isMap as isMapNode, isScalar, isSeq, type ParsedNode, parseDocument, stringify } from 'yaml';
import { applyEdit, type Edit, isSameData, prunedPath, valueAt } from './edit.ts';
import { type BlockSeq, isClosed, walk } from './layout.ts';
import { parseSource } from './parseSource.ts';
import {
  applyPatch,
  type Patch,
  patchInsertItem,
  patchInsertPair,
  patchMove,
  patchRemoveItem,
  patchRemovePair,
  patchRename,
  patchReplaceItem,
  patchReplacePair,
} from './patches.ts';
import { print } from './print.ts';

/**
 * Changes one place of a YAML text and leaves every other byte alone: comments, order, quotes and empty lines stay as
 * their author left them. The new text is read again; where a patch would not say exactly what was meant, the whole
 * document is printed again, comments included.
 */
export function editSource(source: string, edit: Edit): string {
  const reading = readYaml(source);
  if ('problem' in reading) return source;
  const wanted = applyEdit(reading.data, edit);
  const says = (text: string | undefined): text is string => {
    if (text === undefined) return false;
    const read = readYaml(text);
    return !('problem' in read) && isSameData(read.data ?? null, wanted ?? null);
  };
  const patched = patchSource(source, edit, { before: reading.data, wanted });
  if (says(patched)) return patched;
  const printed = printWhole(source, edit, { before: reading.data, wanted });
  return says(printed) ? printed : stringify(wanted, { lineWidth: 0 });
}

interface Data {
  readonly before: unknown;
  readonly wanted: unknown;
}

function patchSource(source: string, edit: Edit, data: Data): string | undefined {
  const root = parseSource(source);
  if (!root) return `${source}${source === '' || source.endsWith('\n') ? '' : '\n'}${print(data.wanted)}\n`;
  const patch = patchOf(source, root, edit, data);
  return patch && applyPatch(source, patch);
}

function patchOf(text: string, root: ParsedNode, edit: Edit, data: Data): Patch | undefined {
  const removes = edit.kind === 'set' && edit.value === undefined;
  const path = removes ? prunedPath(data.before, edit.path) : edit.path;
  const steps = walk(root, path);
  // Inside braces, brackets or behind an alias there are no lines to work with: the whole of it is written again.
  const closed = steps.findIndex(({ node }) => isClosed(node));
  const isWhole = edit.kind === 'set' && !removes && closed === path.length;
  if (closed !== -1 && !isWhole) {
    const place = path.slice(0, closed);
    const value = valueAt(data.wanted, place);
    return replaceAt(text, root, place, value);
  }
  switch (edit.kind) {
    case 'set':
      return removes ? removeAt(text, root, path) : setAt(text, root, edit);
    case 'rename': {
      const pair = steps.at(-2)?.pair ?? steps.at(-1)?.pair;
      return pair && patchRename(pair, edit.name);
    }
    case 'insert': {
      const list = steps[path.length]?.node;
      return list && isSeq(list) && list.items.length > 0
        ? patchInsertItem(text, list as BlockSeq, edit.index, edit.value)
        : setAt(text, root, { kind: 'set', path, value: valueAt(data.wanted, path) });
    }
    case 'move': {
      const list = steps[path.length]?.node;
      return list && isSeq(list) ? patchMove(text, list as BlockSeq, edit.from, edit.to) : undefined;
    }
  }
}

/** The usual order of a flow's own properties: where a new one finds its place. */
export const topOrder = [
  'id',
  'namespace',
  'description',
  'labels',
  'disabled',
  'inputs',
  'variables',
  'concurrency',
  'retry',
  'sla',
  'checks',
  'tasks',
  'errors',
  'finally',
  'afterExecution',
  'outputs',
  'triggers',
  'pluginDefaults',
] as const;

function setAt(text: string, root: ParsedNode, edit: Extract<Edit, { kind: 'set' }>): Patch | undefined {
  const { path, value } = edit;
  const steps = walk(root, path);
  const last = steps.at(-1);
  if (!last) return undefined;
  if (steps.length > path.length) return replaceAt(text, root, path, value);
  // The path breaks off: what is missing is written as one value at the deepest place there is.
  const depth = steps.length - 1;
  const name = path[depth];
  const rest = path.slice(depth + 1);
  const missing = rest.reduceRight<unknown>(
    (inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }),
    value,
  );
  if (last.pair) return patchReplacePair(text, last.pair, missing);
  if (isMapNode(last.node) && last.node.items.length > 0 && typeof name === 'string') {
    return patchInsertPair(
      text,
      last.node,
      name,
      missing,
      depth === 0 ? (edit.order ?? topOrder) : edit.order,
    );
  }
  const whole = { [String(name)]: missing };
  return isScalar(last.node) ? replaceAt(text, root, path.slice(0, depth), whole) : undefined;
}

function replaceAt(text: string, root: ParsedNode, path: Path, value: unknown): Patch | undefined {
  const steps = walk(root, path);
  const holder = steps.at(path.length - 1);
  const name = path.at(-1);
  if (name === undefined) return { start: root.range[0], end: root.range[1], text: print(value) };
  if (holder?.pair) return patchReplacePair(text, holder.pair, value);
  return holder && isSeq(holder.node) && typeof name === 'number'
    ? patchReplaceItem(text, holder.node as BlockSeq, name, value)
    : undefined;
}

function removeAt(text: string, root: ParsedNode, path: Path): Patch | undefined {
  const steps = walk(root, path);
  const holder = steps.at(path.length - 1);
  const name = path.at(-1);
  if (!holder) return undefined;
  if (holder.pair && isMapNode(holder.node)) return patchRemovePair(text, holder.node, holder.pair);
  return isSeq(holder.node) && typeof name === 'number'
    ? patchRemoveItem(text, holder.node as BlockSeq, name)
    : undefined;
}

/** The library's own printer: keeps comments, but lays out the rest of the text by its own rules. */
function printWhole(source: string, edit: Edit, data: Data): string | undefined {
  const document = parseDocument(source, { merge: true });
  if (document.errors.length > 0) return undefined;
  try {
    if (edit.kind === 'set') {
      if (edit.value === undefined) document.deleteIn(prunedPath(data.before, edit.path));
      else document.setIn(edit.path, document.createNode(edit.value));
    } else {
      const place = edit.kind === 'rename' ? edit.path.slice(0, -1) : edit.path;
      document.setIn(place, document.createNode(valueAt(data.wanted, place)));
    }
    return document.toString({ lineWidth: 0 });
  } catch {
    // A path through an alias cannot be followed here.
    return undefined;
  }
}
