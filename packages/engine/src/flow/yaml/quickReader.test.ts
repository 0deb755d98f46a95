import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readFully } from './fullReader.ts';
import type { Node } from './node.ts';
import { YamlProblem } from './node.ts';
import { readQuickly } from './quickReader.ts';

/** Scalars with their positions; positions of collections and of absent values are not compared. */
function outline(node: Node): unknown {
  if (node.kind === 'scalar') return [node.value, node.text, node.text === '' ? 0 : node.start];
  if (node.kind === 'list') return node.items.map(outline);
  return node.entries.map(({ key, value }) => [outline(key), outline(value)]);
}

function fully(text: string): unknown {
  try {
    return outline(readFully(text));
  } catch (error) {
    if (error instanceof YamlProblem) return `refused: ${error.message}`;
    throw error;
  }
}

const document = `# A flow
id: hello-world
namespace: company.team   # the team
description: |
  # Title

  Some *text*
    indented

labels: {env: prod, "team name": 'data ''x'''}
numbers: [1, 2.5, -3, true, null, plain words, "quoted, text"]
empty:
nothing: ~

inputs:
- id: a
  type: STRING
  defaults: "it's {{ x }}\\n"
- id: b
  type: INT
tasks:
  - id: t1
    type: io.kestra.plugin.core.log.Log
    message: Hello {{ inputs.a }}! http://x.y/z#frag
  - id: t2
    type: core.flow.Switch
    value: >-
      {{ outputs.t1 }}
      and more

      end
    cases:
      1:
        - id: c1
          type: core.log.Log
      "two": [ { id: c2, type: core.log.Log, tags: [] } ]
    'quoted key': 10:30
  -
    id: t3
    type: x
  - - nested
    - list
`;

describe('readQuickly', () => {
  it('reads what flows are made of', () => {
    expect(readQuickly(document)).toBeDefined();
  });

  it('[E108] agrees with the full reader', () => {
    expect(outline(readQuickly(document)!)).toEqual(fully(document));
  });

  it.each([
    'a: &x 1\nb: *x\n',
    'a: !!str 1\n',
    '? a\n: b\n',
    'a: "x\n  y"\n',
    'a: x\n  y\n',
    'a: [1,\n 2]\n',
    'a:\tb\n',
    '\ta: b\n',
    'a: b\r\n',
    '--- a\n',
    'a: |2\n   x\n',
    'a: {{ x }}\n',
    'a: b: c\n',
    'a: - b\n',
    '<<: {a: 1}\n',
    'a: @x\n',
    'just text\n',
    'a: 1\n b: 2\n',
    '- a\nb: 1\n',
  ])('gives up on %j', (text) => {
    expect(readQuickly(text)).toBeUndefined();
  });

  it('[E108] agrees with the full reader on whatever it does not give up on', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'b',
        'key',
        'a b',
        'id:',
        'x: ',
        'x: 1',
        'x: "q"',
        "x: 'q'",
        'x: |',
        'x: >',
        'x: |-',
        'x: >+',
        'x:',
      ],
      ...[
        '- ',
        '-',
        '- a',
        '- x: 1',
        '- - a',
        '- [',
        ']',
        '{',
        '}',
        '[a, b]',
        '{a: 1}',
        '{a: [b, {c: d}]}',
        '[a,]',
      ],
      ...[
        '#',
        ' # c',
        '# c',
        '"',
        "'",
        '\\n',
        ':',
        ': ',
        ',',
        '|',
        '>',
        '&',
        '*',
        '!',
        '%',
        '@',
        '?',
        '~',
        'null',
      ],
      ...[
        '12',
        '-3',
        '0x1F',
        '1e3',
        'true',
        '.5',
        '-.inf',
        '2025-01-01',
        '10:30',
        'http://x',
        'a#b',
        'a:b',
        '""',
        "''",
      ],
      ...[
        '--',
        '---',
        '...',
        '{{ x }}',
        '"{{ x }}"',
        '  ',
        ' ',
        '\t',
        '"a\\tb"',
        '"\\x41"',
        'a - b',
        '-a',
        '- -b',
        '?x',
        ':x',
      ],
    );
    const line = fc
      .tuple(fc.integer({ min: 0, max: 4 }), fc.array(piece, { minLength: 0, maxLength: 3 }))
      .map(([indent, pieces]) => ' '.repeat(indent * 2 - (indent > 1 ? 1 : 0)) + pieces.join(''));
    const tidyLine = fc
      .tuple(
        fc.integer({ min: 0, max: 3 }),
        fc.constantFrom('', '- '),
        fc.constantFrom('a: ', 'b:', 'c: '),
        piece,
      )
      .map(([indent, dash, key, value]) => ' '.repeat(indent * 2) + dash + key + value);
    const text = fc
      .array(fc.oneof({ arbitrary: tidyLine, weight: 3 }, { arbitrary: line, weight: 2 }), { maxLength: 7 })
      .chain((lines) => fc.constantFrom(`${lines.join('\n')}\n`, lines.join('\n')));
    let read = 0;
    fc.assert(
      fc.property(text, (source) => {
        const quick = readQuickly(source);
        if (!quick) return;
        read += 1;
        expect(outline(quick)).toEqual(fully(source));
      }),
      { numRuns: 2_000 },
    );
    expect(read).toBeGreaterThan(20);
  });

  it('[E108] agrees with the full reader on any data written by a library', () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('a: b', '{{ x }}', 'two\nlines\n', '- a', '#', ' x ', 'yes', '1_000', '~'),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        text,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(fc.oneof(text, fc.stringMatching(/^[a-z]{1,8}$/)), tie('tree'), { maxKeys: 4 }),
      ),
    }));
    const options = fc.record({ indentSeq: fc.boolean(), lineWidth: fc.constantFrom(0, 20, 80) });
    fc.assert(
      fc.property(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tree, { minKeys: 1 }),
        options,
        (data, style) => {
          const source = stringify(data, style);
          const quick = readQuickly(source);
          if (quick) expect(outline(quick)).toEqual(fully(source));
        },
      ),
      { numRuns: 300 },
    );
  });
});
