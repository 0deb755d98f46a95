import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flowGraph } from './graph.ts';
import { parseFlow } from './parseFlow.ts';

const head = 'id: f\nnamespace: n\n';
const task = 'tasks: [ { id: a, type: core.log.Log } ]\n';

/** Time limit of a test in ms: generous, because machines are shared; without the guards it takes hours. */
const timeout = 60_000;

describe('hostile sources', () => {
  const bomb = Array.from({ length: 12 }, (_, level) =>
    level === 0
      ? 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]'
      : `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
  ).join('\n  ');
  const mergeBomb = Array.from({ length: 25 }, (_, level) =>
    level === 0
      ? 'm0: &m0 { x: 1 }'
      : `m${level}: &m${level} { k${level}: [*m${level - 1}, *m${level - 1}, *m${level - 1}] }`,
  ).join('\n  ');
  const deep = (open: string, close: string) =>
    `${head}${task}variables: { v: ${open.repeat(10_000)}1${close.repeat(10_000)} }\n`;
  const nested = (levels: number) => {
    let text = `${head}tasks:\n`;
    for (let level = 0; level < levels; level += 1) {
      const indent = ' '.repeat(level * 2);
      text += `${indent}- id: t${level}\n${indent}  type: core.flow.Sequential\n${indent}  tasks:\n`;
    }
    return `${text}${' '.repeat(levels * 2)}- { id: last, type: core.log.Log }\n`;
  };

  it.each<[string, string, string]>([
    ['an alias bomb', `${head}${task}variables:\n  ${bomb}\n`, 'values once its aliases are followed'],
    [
      'a bomb of merged maps',
      `${head}${task}variables:\n  ${mergeBomb}\n`,
      'values once its aliases are followed',
    ],
    ['an alias to itself', `${head}${task}variables: { a: &a [ *a ] }\n`, 'contains itself'],
    ['a merge key to itself', `${head}${task}variables:\n  a: &a\n    <<: *a\n`, 'contains itself'],
    ['an alias without an anchor', `${head}${task}variables: { a: *nowhere }\n`, 'has no anchor'],
    [
      'a scalar of ten megabytes',
      `${head}${task}description: ${'x'.repeat(10_000_000)}\n`,
      'at most 2000000',
    ],
    ['a million empty lines', `${head}${task}%\n${'\n'.repeat(1_000_000)}`, ''],
    ['lists ten thousand deep', deep('[', ']'), 'nests deeper than 300'],
    ['maps ten thousand deep', deep('{a: ', '}'), 'nests deeper than 300'],
    ['dashes ten thousand deep', `${'- '.repeat(10_000)}x\n`, 'nests deeper than 300'],
    ['tasks a thousand deep', nested(600), 'nests deeper than 300'],
    ['half a million commas', `a: [${','.repeat(500_000)}]\n`, 'at line 1'],
    ['three hundred thousand tags', `${'!a '.repeat(300_000)}\n`, 'at line 1'],
    ['a custom tag', `${head}${task}variables: { a: !!js/function 'f' }\n`, 'tag'],
    ['a local tag', `${head}${task}variables: { a: !secret x }\n`, 'tag'],
    ['a binary tag', `${head}${task}variables: { a: !!binary aGk= }\n`, 'tag'],
    ['a NUL character', `${head}${task}description: "a\0b"\n`, 'NUL'],
    ['duplicate keys', `${head}${task}variables: { a: 1, a: 2 }\n`, 'Duplicate property "a"'],
    [
      'a key that reaches the prototype',
      `${head}${task}variables: { __proto__: { x: 1 } }\n`,
      '"__proto__" is not allowed',
    ],
    [
      'a merged key that reaches the prototype',
      `${head}${task}variables: { <<: { __proto__: { x: 1 } } }\n`,
      '__proto__',
    ],
    ['a list as a key', `${head}${task}variables: { ? [a] : 1 }\n`, 'cannot be the name of a property'],
    ['two documents', `${head}${task}---\nid: g\n`, 'Only one document'],
    ['a document that is a text', 'hello', 'is not a flow'],
    ['an empty document', '', 'The document is empty'],
    [
      'ten thousand tasks and one',
      `${head}tasks:\n${Array.from({ length: 10_001 }, (_, i) => `- { id: t${i}, type: x.Y }\n`).join('')}`,
      'at most 10000 tasks',
    ],
  ])('[E109] %s is refused', { timeout }, (_, source, message) => {
    const { issues } = parseFlow(source);
    expect(issues.filter((issue) => issue.severity === 'error').map((issue) => issue.message)).toContainEqual(
      expect.stringContaining(message),
    );
  });

  it('[E109] a hundred thousand keys are read', { timeout }, () => {
    const keys = Array.from({ length: 100_000 }, (_, index) => `  k${index}: v\n`).join('');
    const { flow } = parseFlow(`${head}${task}variables:\n${keys}`);
    expect(Object.keys(flow?.variables ?? {})).toHaveLength(100_000);
  });

  it('[E109] of countless problems only the first are reported', { timeout }, () => {
    const keys = Array.from({ length: 100_000 }, (_, index) => `k${index}: v\n`).join('');
    expect(parseFlow(`${head}${task}${keys}`).issues.length).toBeLessThan(1000);
    expect(parseFlow(`${head}${task}${'again: v\n'.repeat(100_000)}`).issues.length).toBeLessThan(1000);
  });

  it('[E109] names of built-in members are ordinary data', () => {
    const { flow, issues } = parseFlow(
      `${head}${task}variables: { constructor: 1, toString: 2, hasOwnProperty: 3 }\n`,
    );
    expect(issues).toEqual([]);
    expect(Object.entries(flow?.variables ?? {})).toEqual([
      ['constructor', 1],
      ['toString', 2],
      ['hasOwnProperty', 3],
    ]);
    expect(({} as Record<string, unknown>).x).toBeUndefined();
  });

  it('[E109] never throws, and whatever it reads can be drawn', { timeout }, () => {
    const piece = fc.constantFrom(
      ...[
        'id: f',
        'namespace: n',
        'tasks:',
        '  - id: a',
        '    type: core.flow.Dag',
        '    type: core.flow.If',
        '    tasks:',
      ],
      ...[
        '    then:',
        '      - id: b',
        '        type: core.log.Log',
        '      - task: { id: c, type: x }',
        '    errors: [5]',
      ],
      ...[
        'triggers: [ { id: t } ]',
        'inputs: 5',
        'labels: [1]',
        '&a',
        '*a',
        '<<: *a',
        '? x',
        '- -',
        '|',
        '"',
        '{',
        ']',
      ],
      ...[
        '    cases: { a: [ { id: d } ], b: 5 }',
        '    type: core.flow.Switch',
        'outputs: [ null ]',
        '    id: 5',
        '---',
      ],
      ...[
        '    dependsOn: [a]',
        'errors: { a: b }',
        '    retry: 7',
        '\t',
        '!x y',
        'concurrency: []',
        'sla: [ {} ]',
      ],
    );
    const text = fc.oneof(
      fc.array(piece, { maxLength: 14 }).map((lines) => lines.join('\n')),
      fc.string({ unit: 'binary', maxLength: 200 }),
    );
    fc.assert(
      fc.property(text, (source) => {
        const { flow, issues, pathAt } = parseFlow(source);
        for (const issue of issues) expect(issue.range).toBeDefined();
        pathAt(1, 1);
        if (flow) flowGraph(flow);
      }),
      { numRuns: 1_000 },
    );
  });
});
