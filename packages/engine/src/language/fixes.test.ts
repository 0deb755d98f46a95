import { describe, expect, it } from 'vitest';
import { parseFlow } from '../flow/parseFlow.ts';
import { shapesOf } from './context.ts';
import { fixesAt } from './fixes.ts';
import { formatFlow } from './format.ts';
import { aContext, applyEdits, atCursor } from './testing/cursor.ts';

/** The text after the fix of a kind, and of a name where there are several. */
function fixed(marked: string, kind: string, name?: string): string | undefined {
  const { text, offset, document } = atCursor(marked);
  const { issues } = parseFlow(text, undefined, { expressions: shapesOf(aContext) });
  const fixes = fixesAt(document, { start: offset, end: offset }, issues, aContext);
  const fix = fixes.find((each) => each.kind === kind && (name === undefined || each.name === name));
  return fix && applyEdits(text, fix.edits);
}

const head = 'id: f\nnamespace: n\n';

describe('did you mean', () => {
  it.each([
    ['{{ inputs.d‸ya }}', '{{ inputs.day }}'],
    ['{{ now() | da‸et }}', '{{ now() | date }}'],
    ["{{ inputs['d‸ya'] }}", "{{ inputs['day'] }}"],
  ])('%s', (wrong, right) => {
    const flow = (value: string) =>
      `${head}inputs: [{ id: day, type: DATE }]\ntasks:\n  - { id: a, type: core.debug.Return, format: "${value}" }\n`;
    expect(fixed(flow(wrong), 'replace')).toBe(flow(right));
  });
});

it('adds the value of the loop', () => {
  const flow = (value: string) =>
    `${head}tasks:\n  - id: each\n    type: core.flow.ForEach\n    values: [1]\n    tasks:\n      - { id: a, type: core.debug.Return, format: x }\n      - { id: b, type: core.debug.Return, format: "${value}" }\n`;
  expect(fixed(flow('{{ outputs.a.va‸lue }}'), 'replace')).toBe(flow('{{ outputs.a[taskrun.value].value }}'));
});

it('adds a missing property behind the type', () => {
  const before = `${head}tasks:\n  - id: a\n    type: core.flow.If‸ # comment\n    condition: x\n`;
  const { text, document } = atCursor(before);
  const issues = [
    {
      severity: 'error' as const,
      path: 'tasks[0].then',
      message: 'is required',
      range: { start: { line: 4, column: 5 }, end: { line: 4, column: 7 } },
    },
  ];
  const [fix] = fixesAt(document, { start: 40, end: 40 }, issues, aContext);
  const beside = text.indexOf('condition');
  expect(fixesAt(document, { start: beside, end: beside }, issues, aContext)[0]).toEqual(fix);
  expect(fix && applyEdits(text, fix.edits)).toBe(
    `${head}tasks:\n  - id: a\n    type: core.flow.If # comment\n    then:\n      - id: hello\n        type: core.log.Log\n        message: Hello\n    condition: x\n`,
  );
});

it('replaces a property that does not exist by the one with a similar name, unless that is written', () => {
  const flow = (property: string, more = '') =>
    `${head}tasks:\n  - id: a\n    type: core.log.Log\n    ${property}: x # why\n${more}`;
  const offered = (text: string) => {
    const at = text.indexOf('mesage') + 2;
    const issue = {
      severity: 'error' as const,
      path: 'tasks[0].mesage',
      message: 'Unrecognized field "mesage"; known fields: level message timeout',
      range: { start: { line: 6, column: 13 }, end: { line: 6, column: 14 } },
    };
    const { document } = atCursor(`${text}‸`);
    const fix = fixesAt(document, { start: at, end: at }, [issue], aContext).find(
      ({ kind }) => kind === 'replace',
    );
    return fix && applyEdits(text, fix.edits);
  };
  expect(offered(flow('mesage'))).toBe(flow('message'));
  expect(offered(flow('mesage', '    message: y\n'))).toBeUndefined();
});

describe('adds a missing property with a value to begin with', () => {
  const issueAt = (path: string, line: number) => ({
    severity: 'error' as const,
    path,
    message: 'is required',
    range: { start: { line, column: 1 }, end: { line, column: 40 } },
  });
  const withSchema = (schema: unknown) => ({
    ...aContext,
    types: [{ type: 'a.B', names: ['a.B'], required: ['x'], shape: {}, properties: { x: schema } }],
  });
  it.each([
    [{ type: 'string' }, ' "‸"'],
    [{}, ' "‸"'],
    [{ type: 'string', default: 'a: b' }, ' ‸"a: b"‸'],
    [{ anyOf: [{ type: 'string' }, { enum: ['GET', 'POST'] }] }, ' ‸"GET"‸'],
    [{ anyOf: [{ type: 'integer', minimum: 1 }, { type: 'string' }] }, ' ‸1‸'],
    [{ anyOf: [{ type: 'string' }, { type: 'array' }] }, ' "‸"'],
    [{ type: 'boolean' }, ' ‸false‸'],
    [{ type: 'object' }, ' {‸}'],
    [{ type: 'array', items: { type: 'string' } }, '\n      - "‸"'],
  ])('%j', (schema, value) => {
    const { text, document } = atCursor(`${head}tasks:\n  - id: a\n    type: a.B‸\n`);
    const [fix] = fixesAt(document, { start: 40, end: 40 }, [issueAt('tasks[0].x', 5)], withSchema(schema));
    const after = applyEdits(text, fix?.edits ?? []);
    const { start = 0, end = 0 } = fix?.selected ?? {};
    const marked = `${after.slice(0, start)}‸${after.slice(start, end)}${start < end ? '‸' : ''}${after.slice(end)}`;
    expect(marked).toBe(`${head}tasks:\n  - id: a\n    type: a.B\n    x:${value}\n`);
    const written = parseFlow(after).issues.filter(({ message }) => message.includes('YAML'));
    expect(written).toEqual([]);
  });

  it.each([
    [
      `${head}tasks:\n  - { id: a, type: a.B }‸\n`,
      'tasks[0].x',
      4,
      `${head}tasks:\n  - { id: a, type: a.B, x: [] }\n`,
    ],
    [
      '‸id: f\ntasks:\n  - id: a\n    type: a.B\n',
      'namespace',
      1,
      'id: f\ntasks:\n  - id: a\n    type: a.B\nnamespace: ""\n',
    ],
    [
      '‸id: f\nnamespace: n\n',
      'tasks',
      1,
      'id: f\nnamespace: n\ntasks:\n  - id: hello\n    type: core.log.Log\n    message: Hello\n',
    ],
  ])('in braces, behind a block and in the flow itself: %j', (marked, path, line, expected) => {
    const { text, document } = atCursor(marked);
    const start =
      text
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length + 1;
    const [fix] = fixesAt(
      document,
      { start, end: start },
      [issueAt(path, line)],
      withSchema({ type: 'array' }),
    );
    expect(applyEdits(text, fix?.edits ?? [])).toBe(expected);
  });
});

it('replaces an older name of a type', () => {
  const flow = (type: string) => `${head}tasks:\n  - id: a\n    type: ${type}\n    uri: x\n`;
  expect(fixed(flow('io.kestra.plugin.fs.http.Re‸quest'), 'replaceType')).toBe(flow('core.http.Request'));
  expect(fixed(flow('core.http.Re‸quest'), 'replaceType')).toBeUndefined();
});

describe('extracts a value to a variable', () => {
  it('makes the variables when there are none', () => {
    expect(
      fixed(`${head}\ntasks:\n  - id: a\n    type: core.http.Request\n    uri: "https://‸a.b"\n`, 'extract'),
    ).toBe(
      `${head}\nvariables:\n  uri: "https://a.b"\n\ntasks:\n  - id: a\n    type: core.http.Request\n    uri: "{{ vars.uri }}"\n`,
    );
  });

  it('adds to those that are there, under a free name', () => {
    expect(
      fixed(
        `${head}variables:\n  uri: x # kept\ntasks:\n  - id: a\n    type: core.http.Request\n    uri: https://a/{{ flow.‸id }}\n`,
        'extract',
      ),
    ).toBe(
      `${head}variables:\n  uri_2: https://a/{{ flow.id }}\n  uri: x # kept\ntasks:\n  - id: a\n    type: core.http.Request\n    uri: "{{ render(vars.uri_2) }}"\n`,
    );
  });

  it('leaves ids and types alone', () => {
    expect(fixed(`${head}tasks:\n  - id: ‸a\n    type: core.http.Request\n`, 'extract')).toBeUndefined();
  });
});

it('wraps a task with its comments', () => {
  const before = `${head}tasks:\n  - id: a # why\n    type: core.log.Log\n    # more\n    message: |\n      one‸\n\n      two\n\n  - id: b\n    type: core.log.Log\n    message: x\n`;
  expect(fixed(before, 'wrap', 'core.flow.If')).toBe(
    `${head}tasks:\n  - id: if_a\n    type: core.flow.If\n    condition: "{{ true }}"\n    then:\n      - id: a # why\n        type: core.log.Log\n        # more\n        message: |\n          one\n\n          two\n\n  - id: b\n    type: core.log.Log\n    message: x\n`,
  );
  expect(fixed(before, 'wrap', 'core.flow.AllowFailure')).toContain(
    'type: core.flow.AllowFailure\n    tasks:\n      - id: a',
  );
  expect(fixed(before, 'wrap', 'core.flow.ForEach')).toContain('values: []\n    tasks:\n      - id: a');
});

describe('formatting', () => {
  it('sets indentation and keeps comments, quotes and texts', () => {
    const before = `# head\nid:   f\nnamespace: n\n\n\n\ntasks:\n- id: 'a' # why\n  type:    core.log.Log\n  message: |\n    a  {{ b }}\n\n    c\n  # end\n`;
    expect(formatFlow(before)).toBe(
      `# head\nid: f\nnamespace: n\n\ntasks:\n  - id: 'a' # why\n    type: core.log.Log\n    message: |\n      a  {{ b }}\n\n      c\n    # end\n`,
    );
  });

  it('formats nothing that it cannot read', () => expect(formatFlow('a: [')).toBeUndefined());

  it('changes nothing the second time', () => {
    const once = formatFlow(`${head}tasks:\n- {id: a, type: b, x: [1,2]}\n`) ?? '';
    expect(formatFlow(once)).toBe(once);
  });
});
