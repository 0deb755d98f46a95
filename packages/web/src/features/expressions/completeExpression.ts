/** One completion of the expression at the cursor. */
export interface Completion {
  readonly label: string;
  readonly insert: string;
  /** Where the text to replace begins; it ends at the cursor. */
  readonly from: number;
}

type Names = (flow: unknown) => readonly string[];
const fixed =
  (...names: string[]): Names =>
  () =>
    names;

/** The variables of an expression, and what is known of their parts. */
const parts: Readonly<Record<string, Names>> = {
  inputs: (flow) => idsIn(partOf(flow, 'inputs')),
  outputs: (flow) => taskIdsOf(flow),
  vars: (flow) => keysOf(partOf(flow, 'variables')),
  labels: (flow) => labelKeysOf(partOf(flow, 'labels')),
  flow: fixed('id', 'namespace', 'revision', 'tenantId'),
  execution: fixed('id', 'startDate', 'state', 'originalId'),
  task: fixed('id', 'type'),
  taskrun: fixed('id', 'startDate', 'attemptsCount', 'parentId', 'value', 'iteration'),
  trigger: fixed('date', 'next', 'previous', 'body', 'uri'),
  tasks: (flow) => taskIdsOf(flow),
  envs: fixed(),
  globals: fixed(),
  parent: fixed('outputs', 'taskrun'),
  parents: fixed(),
  error: fixed('taskId', 'message'),
};

const isPlainName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);
const pathAtEnd = /(?:^|[^\w.\]"'-])([A-Za-z_]\w*)?(\.)?([\w-]*)$/;

/**
 * The completions of the expression that ends at the cursor: `{{ inp` → `inputs`, `{{ inputs.` → the inputs of this flow.
 * Nothing outside of an expression, and nothing for what only the run will know.
 */
export function completeExpression(before: string, flow: unknown): readonly Completion[] {
  const start = before.lastIndexOf('{{');
  if (start < 0 || before.indexOf('}}', start) >= 0) return [];
  const inside = before.slice(start + 2);
  if (isInText(inside)) return [];
  const [, root, dot, begun = ''] = pathAtEnd.exec(` ${inside}`) ?? [];
  if (root !== undefined && dot !== undefined) {
    const names = parts[root]?.(flow) ?? [];
    return matching(names, begun).map((name) =>
      isPlainName(name)
        ? { label: name, insert: name, from: before.length - begun.length }
        : // A name with a dash would be a subtraction.
          { label: name, insert: `[${JSON.stringify(name)}]`, from: before.length - begun.length - 1 },
    );
  }
  const word = root ?? '';
  if (dot !== undefined || begun !== '' || (word === '' && !/^\s*$|[\s(|,]$/.test(inside))) return [];
  return matching(Object.keys(parts), word).map((name) => ({
    label: name,
    insert: name,
    from: before.length - word.length,
  }));
}

const matching = (names: readonly string[], begun: string): readonly string[] =>
  [...new Set(names)].filter((name) => name !== begun && name.toLowerCase().startsWith(begun.toLowerCase()));

/** After an odd number of quotes the cursor is in a text. */
const isInText = (inside: string): boolean =>
  [...inside.matchAll(/"/g)].length % 2 === 1 || [...inside.matchAll(/'/g)].length % 2 === 1;

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const partOf = (value: unknown, key: string): unknown => (isMap(value) ? value[key] : undefined);
const keysOf = (value: unknown): string[] => (isMap(value) ? Object.keys(value) : []);
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string[] => (typeof value === 'string' && value !== '' ? [value] : []);
const idsIn = (list: unknown): string[] => listOf(list).flatMap((one) => textOf(partOf(one, 'id')));

const labelKeysOf = (labels: unknown): string[] =>
  Array.isArray(labels) ? labels.flatMap((one) => textOf(partOf(one, 'key'))) : keysOf(labels);

/** Tasks lie in lists of tasks, however deep. */
const taskIdsOf = (flow: unknown): string[] =>
  ['tasks', 'errors', 'finally', 'afterExecution'].flatMap((list) => taskIdsIn(partOf(flow, list)));

function taskIdsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(taskIdsIn);
  if (!isMap(value)) return [];
  const own = typeof value.type === 'string' ? textOf(value.id) : [];
  return [...own, ...Object.values(value).flatMap(taskIdsIn)];
}
