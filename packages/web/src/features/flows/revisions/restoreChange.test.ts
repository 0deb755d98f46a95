import { diffFlows, parseFlow } from '@millrace/engine';
import { describe, expect, it } from 'vitest';
import { restoreChange } from './restoreChange.ts';

const old = `id: etl
namespace: company.team
description: Before
inputs:
  - id: day
    type: DATE
tasks:
  # Reads.
  - id: extract
    type: core.log.Log
    message: "start" # quoted
  - id: each
    type: core.flow.ForEach
    values: [1, 2]
    tasks:
      - id: load
        type: core.log.Log
        message: load
  - id: report
    type: core.log.Log
    message: "{{ outputs.extract.value }}"
`;

const changesOf = (before: string, after: string) =>
  diffFlows(parseFlow(before).flow!, parseFlow(after).flow!);

/** Every change alone, then all of them one after the other. */
function restoreAll(before: string, after: string): string {
  let text = after;
  for (let left = changesOf(before, text); left.length > 0; left = changesOf(before, text)) {
    const restored = restoreChange(text, before, left[0]!);
    if (restored === undefined || restored === text)
      throw new Error(`cannot restore ${JSON.stringify(left[0])}`);
    text = restored;
  }
  return text;
}

describe('restoring one change of a revision', () => {
  it('brings a removed task back to its place, with its comments', () => {
    const after = old.replace(/ {2}# Reads\.[\s\S]*?quoted\n/, '');
    const [change] = changesOf(old, after);
    expect(change).toMatchObject({ kind: 'removed', id: 'extract' });
    expect(restoreChange(after, old, change!)).toBe(old);
  });

  it('takes a change of a property back and leaves other changes alone', () => {
    const after = old.replace('values: [1, 2]', 'values: [1]').replace('message: load', 'message: other');
    const change = changesOf(old, after).find((one) => one.kind === 'changed' && one.id === 'each');
    const text = restoreChange(after, old, change!);
    expect(text).toContain('message: other');
    expect(text).toMatch(/values: \[ ?1, 2 ?\]/);
  });

  it.each([
    ['a rename with its references', old.replaceAll('extract', 'fetch')],
    [
      'a moved task',
      old
        .replace(/ {2}- id: report[\s\S]*$/, '')
        .replace(
          'tasks:\n  # Reads',
          'tasks:\n  - id: report\n    type: core.log.Log\n    message: "{{ outputs.extract.value }}"\n  # Reads',
        ),
    ],
    [
      'a task that was renamed, changed and moved at once',
      old
        .replace(/ {2}- id: report[\s\S]*$/, '')
        .replace(
          'tasks:\n  # Reads',
          'tasks:\n  - id: summary\n    type: core.log.Log\n    message: "{{ outputs.extract.value }}!"\n  # Reads',
        ),
    ],
    ['an added task', `${old}  - id: more\n    type: core.log.Log\n    message: x\n`],
    ['a removed input', old.replace('inputs:\n  - id: day\n    type: DATE\n', '')],
    ['a setting of the flow', old.replace('description: Before', 'description: After')],
  ])('takes back %s', (_, after) => {
    expect(changesOf(old, after).length).toBeGreaterThan(0);
    expect(changesOf(old, restoreAll(old, after))).toEqual([]);
  });
});
