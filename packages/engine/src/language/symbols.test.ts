import { describe, expect, it } from 'vitest';
import { hoverAt } from './hover.ts';
import { type OutlineEntry, outlineOf } from './outline.ts';
import { rename, symbolAt } from './symbols.ts';
import { aContext, applyEdits, atCursor } from './testing/cursor.ts';

const flow = `id: f
namespace: n
inputs:
  - id: day
    type: DATE
    description: The day
variables:
  bucket: b
tasks:
  - id: call # the request
    type: core.http.Request
    uri: "{{ inputs.day }}/{{ vars.bucket }}"
  - id: dag
    type: core.flow.Dag
    tasks:
      - task: { id: a, type: core.debug.Return, format: "{{ outputs.call.body | upper }}" }
      - task: { id: b, type: core.debug.Return, format: '{{ outputs["a"].value }} {{ outputs.a.value }}' }
        dependsOn: [a]
  - id: log
    type: core.log.Log
    message: |
      {{ outputs.call.code }} {{ tasks.call.state }}
      {{ outputs['call'].body ?? outputs.b.value }}
`;

const renamed = (marked: string, name: string) => {
  const { text, offset, document } = atCursor(marked);
  const result = rename(document, offset, name);
  return 'edits' in result ? applyEdits(text, result.edits) : result.refused;
};
/** Puts the cursor into the first occurrence of a text. */
const inside = (part: string, source = flow) => source.replace(part, `${part[0]}‸${part.slice(1)}`);

describe('rename', () => {
  it('changes a task id everywhere, and nothing else', () => {
    const after = renamed(inside('call # the'), 'fetch');
    expect(after).toBe(flow.replaceAll('call', 'fetch'));
    expect(renamed(inside('call.code'), 'fetch')).toBe(after);
    expect(renamed(inside("call'].body"), 'fetch')).toBe(after);
  });

  it('writes brackets where the name needs them', () => {
    const after = renamed(inside('a, type'), 'a-1');
    expect(after).toContain('{ id: a-1,');
    expect(after).toContain(`'{{ outputs["a-1"].value }} {{ outputs["a-1"].value }}'`);
    expect(after).toContain('dependsOn: [a-1]');
    expect(renamed(inside('call # the'), 'get-it')).toContain(`"{{ outputs['get-it'].body | upper }}"`);
  });

  it('renames inputs and variables', () => {
    expect(renamed(inside('day\n'), 'date')).toContain('"{{ inputs.date }}/{{ vars.bucket }}"');
    expect(renamed(inside('bucket: b'), 'target')).toContain('target: b');
  });

  it('refuses names that are taken or not allowed', () => {
    expect(renamed(inside('call # the'), 'log')).toBe('taken');
    expect(renamed(inside('call # the'), 'a b')).toBe('invalid');
    expect(renamed(inside('core.http.Request'), 'x')).toBe('nothing');
  });
});

describe('definition and references', () => {
  it('finds where a name is defined and every use', () => {
    const { text, offset, document } = atCursor(inside('call.body | upper'));
    const symbol = symbolAt(document, offset);
    expect(symbol?.kind).toBe('task');
    expect(text.slice(symbol?.definition?.start, (symbol?.definition?.end ?? 0) + 14)).toBe(
      'call # the request',
    );
    expect(symbol?.uses.map(({ start, end }) => text.slice(start, end))).toEqual([
      'call',
      'call',
      'call',
      'call',
    ]);
  });
});

describe('hover', () => {
  const hover = (part: string) => {
    const { offset, document } = atCursor(inside(part));
    return hoverAt(document, offset, aContext);
  };

  it('shows the value of the last execution', () => {
    expect(hover('body | upper')).toMatchObject({
      code: 'outputs.call.body',
      description: 'The body of the response.',
      value: { text: '{\n  "items": [\n    1,\n    2\n  ]\n}', executionId: 'exec1' },
    });
    expect(hover('code }} {{')).toMatchObject({ value: { text: '200' } });
    expect(hover('day }}')).toMatchObject({
      code: 'inputs.day',
      description: 'DATE: The day',
      value: { text: '2026-01-01' },
    });
  });

  it('explains functions, filters and variables', () => {
    expect(hover('upper')).toMatchObject({ code: 'upper()', description: 'Writes a text in upper case.' });
    expect(hover('outputs.call.code')).toMatchObject({ code: 'outputs' });
    expect(hover('call.code')).toMatchObject({ code: 'outputs.call', description: 'core.http.Request' });
    expect(hover('request\n')).toBeUndefined();
  });
});

it('outlines sections, elements and the tasks inside them', () => {
  const { document } = atCursor(`‸${flow}`);
  const names = (entries: readonly OutlineEntry[]): unknown[] =>
    entries.map(({ name, children }) => (children.length === 0 ? name : [name, ...names(children)]));
  expect(names(outlineOf(document))).toEqual([
    ['inputs', 'day'],
    ['variables', 'bucket'],
    ['tasks', 'call', ['dag', 'a', 'b'], 'log'],
  ]);
});
