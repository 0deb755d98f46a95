import { readYaml } from '@millrace/engine';
import { describe, expect, test } from 'vitest';
import { applyEdit, type Edit } from './edit.ts';
import { editSource } from './editSource.ts';

const source = `# Owned by the data team.
id: etl
namespace: company.team   # fixed

labels:
  team: data # who
  'stage': "prod"

tasks:
  # Says hello first.
  - id: hello
    type: core.log.Log
    message: |
      Hello   there

      {{ inputs.name }}
    level:    DEBUG # noisy

  - id: fan
    type: core.flow.Parallel
    tasks:
      - {id: "a", type: core.log.Log, message: x}
      # The second one.
      - id: b
        type: core.log.Log
        message: >
          folded
          text

triggers:
- id: daily
  type: core.trigger.Schedule
  cron: '0 9 * * *'
`;

/** What a reader of the difference sees: the lines that went and the lines that came. */
function difference(before: string, after: string) {
  const old = before.split('\n');
  const fresh = after.split('\n');
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (
    tail < old.length - head &&
    tail < fresh.length - head &&
    old.at(-1 - tail) === fresh.at(-1 - tail)
  ) {
    tail += 1;
  }
  return [old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail)];
}

const set = (path: (string | number)[], value?: unknown): Edit => ({ kind: 'set', path, value });

describe('S1-1.2 an edit of the form touches only what it is about', () => {
  test.each<[string, Edit, string[], string[]]>([
    [
      'a plain text',
      set(['tasks', 0, 'level'], 'INFO'),
      ['    level:    DEBUG # noisy'],
      ['    level:    INFO # noisy'],
    ],
    ['a quoted text', set(['labels', 'stage'], 'dev'), [`  'stage': "prod"`], [`  'stage': "dev"`]],
    [
      'a text that needs quotes',
      set(['labels', 'team'], 'yes: no'),
      ['  team: data # who'],
      ['  team: "yes: no" # who'],
    ],
    ['a number', set(['labels', 'team'], 3), ['  team: data # who'], ['  team: 3 # who']],
    [
      'a text over several lines',
      set(['tasks', 0, 'message'], 'One\nTwo\n'),
      ['      Hello   there', '', '      {{ inputs.name }}'],
      ['      One', '      Two'],
    ],
    [
      'one line made several',
      set(['labels', 'team'], 'a\nb'),
      ['  team: data # who'],
      ['  team: |-', '    a', '    b', '  # who'],
    ],
    [
      'a task on one line',
      set(['tasks', 1, 'tasks', 0, 'message'], 'y'),
      ['      - {id: "a", type: core.log.Log, message: x}'],
      ['      - {id: a, type: core.log.Log, message: y}'],
    ],
    [
      'a text in the middle of being typed',
      set(['labels', 'team'], 'one\n\n'),
      ['  team: data # who'],
      ['  team: "one\\n\\n" # who'],
    ],
    ['a new property', set(['tasks', 0, 'timeout'], 'PT1M'), [], ['    timeout: PT1M']],
    [
      'a new map in a map',
      set(['tasks', 1, 'tasks', 1, 'retry', 'type'], 'constant'),
      [],
      ['        retry:', '          type: constant'],
    ],
    [
      'a new part of the flow in its usual place',
      set(['description'], 'Moves data.'),
      [],
      ['description: Moves data.'],
    ],
    [
      'a new list in its usual place, with room around it',
      { kind: 'insert', path: ['errors'], index: 0, value: { id: 'e', type: 'core.log.Log' } },
      [],
      ['errors:', '  - id: e', '    type: core.log.Log', ''],
    ],
    ['removing a property', set(['tasks', 0, 'level']), ['    level:    DEBUG # noisy'], []],
    ['removing the last label but one', set(['labels', 'stage']), [`  'stage': "prod"`], []],
    [
      'removing an item with its comment',
      set(['tasks', 1, 'tasks', 1]),
      [
        '      # The second one.',
        '      - id: b',
        '        type: core.log.Log',
        '        message: >',
        '          folded',
        '          text',
      ],
      [],
    ],
    [
      'removing the only trigger',
      set(['triggers', 0]),
      ['triggers:', '- id: daily', '  type: core.trigger.Schedule', `  cron: '0 9 * * *'`],
      [],
    ],
    [
      'a new name of a property',
      { kind: 'rename', path: ['labels', 'team'], name: 'owner' },
      ['  team: data # who'],
      ['  owner: data # who'],
    ],
    [
      'a new trigger beside one without indentation',
      { kind: 'insert', path: ['triggers'], index: 0, value: { id: 'hook', type: 'core.trigger.Webhook' } },
      [],
      ['- id: hook', '  type: core.trigger.Webhook'],
    ],
  ])('%s', (_, edit, gone, come) => {
    expect(difference(source, editSource(source, edit))).toEqual([gone, come]);
  });

  test('moving a task takes its comment along', () => {
    const edited = editSource(source, { kind: 'move', path: ['tasks'], from: 0, to: 1 });
    expect(edited).toContain('tasks:\n  - id: fan');
    expect(edited).toContain('          text\n\n  # Says hello first.\n  - id: hello');
    expect(edited).toContain('level:    DEBUG # noisy\n\ntriggers:');
  });

  test('lines end as they did', () => {
    const windows = source.replaceAll('\n', '\r\n');
    const edited = editSource(windows, set(['tasks', 0, 'message'], 'One\nTwo\n'));
    expect(edited.replaceAll('\r\n', '')).not.toContain('\n');
    expect(editSource(windows, { kind: 'move', path: ['tasks'], from: 0, to: 1 }).length).toBe(
      windows.length,
    );
  });

  test('an empty text begins with the first value', () => {
    expect(editSource('', set(['id'], 'first'))).toBe('id: first\n');
    expect(editSource('# mine\n', set(['id'], 'first'))).toBe('# mine\nid: first\n');
  });

  test('what an alias stands for is written out where it is changed', () => {
    const text = 'a: &x\n  n: 1\nb: *x\n';
    expect(editSource(text, set(['b', 'n'], 2))).toBe('a: &x\n  n: 1\nb:\n  n: 2\n');
  });

  test('a text that cannot be read stays as it is', () => {
    expect(editSource('id: [', set(['id'], 'x'))).toBe('id: [');
  });
});

/** Small and seeded, so that a failure can be repeated. */
function random(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const values: unknown[] = [
  'x',
  '',
  '# no comment',
  'a: b',
  'one\ntwo\n',
  '  led',
  'x\n\n',
  '{{ inputs.a }}',
  '1',
  'true',
  7,
  false,
  -1.5,
  null,
  { k: 'v', l: [1, { m: 'n' }] },
  ['p', 'q\nr'],
  [],
  {},
  '- x',
  "it's",
  '日本',
];

test('S1-1.2 three hundred changes in a row say what was meant and drop no comment of what they do not touch', () => {
  const pick = random(11);
  let text = source;
  for (let round = 0; round < 300; round += 1) {
    if (round % 25 === 0) text = source;
    const before = readYaml(text);
    if ('problem' in before) throw before.problem;
    const edit = anyEdit(before.data, pick);
    const edited = editSource(text, edit);
    const after = readYaml(edited);
    if ('problem' in after) throw new Error(`${JSON.stringify(edit)}\n${text}\n→\n${edited}`);
    expect(after.data, `${JSON.stringify(edit)}\n${text}\n→\n${edited}`).toEqual(
      applyEdit(before.data, edit),
    );
    expect(edited).toContain('# Owned by the data team.');
    text = edited;
  }
});

function anyEdit(data: unknown, pick: (below: number) => number): Edit {
  const paths: (string | number)[][] = [];
  const lists: (string | number)[][] = [];
  const visit = (value: unknown, path: (string | number)[]) => {
    if (path.length > 0 && path[0] !== 'id') paths.push(path);
    if (Array.isArray(value)) {
      if (value.length > 0) lists.push(path);
      for (const [index, item] of value.entries()) visit(item, [...path, index]);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) visit(item, [...path, key]);
    }
  };
  visit(data, []);
  const path = paths[pick(paths.length)] ?? ['namespace'];
  const list = lists[pick(lists.length)];
  const value = values[pick(values.length)];
  const kind = pick(6);
  if (kind === 0 && list) return { kind: 'insert', path: list, index: pick(3), value };
  if (kind === 1 && list) return { kind: 'move', path: list, from: 0, to: pick(3) };
  if (kind === 2) return { kind: 'set', path };
  if (kind === 3 && typeof path.at(-1) === 'string') {
    return { kind: 'set', path: [...path.slice(0, -1), `new_${pick(9)}`], value };
  }
  return { kind: 'set', path, value };
}
