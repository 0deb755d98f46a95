import { renameReferences } from '@millrace/engine';
import { describe, expect, it } from 'vitest';
import { removalOf } from '../canvas/RemoveDialog.tsx';
import { stepOf } from './flowText.ts';
import {
  insertElement,
  moveElement,
  removeElement,
  setElementDisabled,
  unwrapElement,
} from './graphEdits.ts';
import { duplicateElement } from './renameElement.ts';
import type { Part } from './slot.ts';

const source = `# Owned by the data team.
id: etl
namespace: company.team # fixed

tasks:
  # Reads the orders.
  - id: extract
    type: core.log.Log # quick
    message: "start"

  - id: each
    type: core.flow.ForEach
    values: [1, 2]
    tasks:
      # Loads one of them.
      - id: load
        type: core.log.Log
        message: |
          {{ taskrun.value }}

          done
      - id: check
        type: core.log.Log
        message: "{{ outputs.load.value }}"

  - id: report
    type: core.log.Log
    message: '{{ outputs["extract"].value }}'

triggers:
  - id: daily
    type: core.trigger.Schedule
    cron: "0 9 * * *"
`;

const task = (id: string): Part => ({ kind: 'task', id });
const log = (id: string) => ({ id, type: 'core.log.Log', message: 'hi' });
const comments = (text: string) => text.match(/#.*$/gm) ?? [];

it('a copy that is removed again leaves the text as it was, also behind the last task', () => {
  for (const id of ['extract', 'check', 'report']) {
    const copy = duplicateElement(source, task(id));
    expect(removeElement(copy?.source ?? '', task(copy?.id ?? ''))).toBe(source);
  }
});

describe('inserting', () => {
  it('puts a task between its neighbors and leaves every other byte alone', () => {
    const text = insertElement(source, { at: 'after', part: task('extract') }, log('new'));
    const added = '\n  - id: new\n    type: core.log.Log\n    message: hi\n';
    expect(text).toBe(source.replace('message: "start"\n', `message: "start"\n${added}`));
  });

  it('starts a list that a container or the flow does not have yet', () => {
    const inside = insertElement(source, { at: 'inside', id: 'each', branch: ['errors'] }, log('alert'));
    expect(inside).toContain('    errors:\n      - id: alert\n        type: core.log.Log\n');
    const atEnd = insertElement(source, { at: 'flow', branch: 'finally' }, log('clean'));
    expect(atEnd).toContain('\nfinally:\n  - id: clean\n');
    expect(comments(atEnd ?? '')).toEqual(comments(source));
  });

  it('writes the first list of a container below its type', () => {
    const box = 'id: a\nnamespace: b\ntasks:\n  - id: p\n    type: core.flow.Parallel\n';
    const text = insertElement(box, { at: 'inside', id: 'p', branch: ['tasks'] }, log('x'));
    expect(text).toContain('    type: core.flow.Parallel\n    tasks:\n      - id: x\n');
  });

  it('adds the first task of an empty flow', () => {
    const text = insertElement('id: a\nnamespace: b\ntasks: []\n', { at: 'flow', branch: 'tasks' }, log('x'));
    expect(text).toContain('x');
    expect(removeElement(text ?? '', task('x'))).toContain('tasks: []');
  });
});

describe('moving', () => {
  it('keeps the comments of a task that moves within its list', () => {
    const text = moveElement(source, task('extract'), { at: 'after', part: task('report') });
    expect(text).toContain('  # Reads the orders.\n  - id: extract\n    type: core.log.Log # quick\n');
    expect(text?.indexOf('id: extract')).toBeGreaterThan(text?.indexOf('id: report') ?? 0);
    expect(comments(text ?? '').toSorted()).toEqual(comments(source).toSorted());
  });

  it('takes a task with its comments, quotes and block texts into a container and back out', () => {
    const inside = moveElement(source, task('extract'), { at: 'before', part: task('check') });
    expect(inside).toContain(
      '      # Reads the orders.\n      - id: extract\n        type: core.log.Log # quick\n        message: "start"\n',
    );
    const outside = moveElement(inside ?? '', task('load'), { at: 'before', part: task('each') });
    expect(outside).toContain(
      '  # Loads one of them.\n  - id: load\n    type: core.log.Log\n    message: |\n      {{ taskrun.value }}\n\n      done\n',
    );
    expect(comments(outside ?? '').toSorted()).toEqual(comments(source).toSorted());
  });

  it('refuses to move a container into itself, and a task among the triggers', () => {
    expect(moveElement(source, task('each'), { at: 'before', part: task('load') })).toBeUndefined();
    const slot = { at: 'flow', branch: 'triggers' } as const;
    expect(moveElement(source, task('extract'), slot)).toBeUndefined();
  });

  it('refuses an id that is written twice, because the wrong task could be meant', () => {
    const twice = source.replace('id: report', 'id: load');
    expect(removeElement(twice, task('load'))).toBeUndefined();
  });

  it('works on a document in JSON', () => {
    const json = JSON.stringify({
      id: 'a',
      namespace: 'b',
      tasks: [log('x'), { id: 's', type: 'core.flow.Sequential', tasks: [log('y')] }],
    });
    const text = moveElement(json, task('x'), { at: 'after', part: task('y') }) ?? '';
    expect(JSON.stringify(text)).toMatch(/y.*x/s);
  });

  it('steps up and down in its list', () => {
    expect(stepOf(source, task('each'), -1)).toEqual({ at: 'before', part: task('extract') });
    expect(stepOf(source, task('extract'), -1)).toBeUndefined();
  });
});

const dag = `id: d
namespace: n
tasks:
  - id: dag
    type: core.flow.Dag
    tasks:
      # First.
      - task:
          id: a
          type: core.log.Log
      - task:
          id: b
          type: core.log.Log # second
        dependsOn:
          - a
  - id: after
    type: core.log.Log
`;

describe('a Dag', () => {
  it('gets a task between two others by their dependencies', () => {
    const text = insertElement(dag, { at: 'link', dag: 'dag', from: 'a', to: 'b' }, log('c')) ?? '';
    expect(text).toContain('      - task:\n          id: c\n');
    expect(text).toMatch(/id: c[\s\S]*dependsOn:\n {10}- a\n[\s\S]*id: b[\s\S]*dependsOn:\n {10}- c\n/);
  });

  it('takes a task in and bridges the gap when one leaves', () => {
    const inside = moveElement(dag, task('after'), { at: 'link', dag: 'dag', from: 'a', to: 'b' }) ?? '';
    expect(inside).toMatch(
      /id: after[\s\S]*dependsOn:\n {10}- a\n[\s\S]*id: b[\s\S]*dependsOn:\n {10}- after\n/,
    );
    const outside = moveElement(inside, task('after'), { at: 'after', part: task('dag') }) ?? '';
    expect(outside).toContain('\n  - id: after\n    type: core.log.Log\n');
    expect(outside).toMatch(/id: b[\s\S]*dependsOn:\n {10}- a\n/);
    expect(comments(outside)).toEqual(comments(dag));
  });
});

describe('duplicating', () => {
  it('gives the copy and the tasks inside it free ids, and lets it read its own tasks', () => {
    const copy = duplicateElement(source, task('each'));
    expect(copy?.id).toBe('each_2');
    expect(copy?.source).toContain('      - id: load_2\n');
    expect(copy?.source).toContain('message: "{{ outputs.load_2.value }}"');
    expect(copy?.source).toContain('message: "{{ outputs.load.value }}"');
    expect(copy?.source.startsWith(source.slice(0, source.indexOf('  - id: report')))).toBe(true);
  });

  it('duplicates a trigger', () => {
    expect(duplicateElement(source, { kind: 'trigger', id: 'daily' })?.source).toContain('- id: daily_2\n');
  });

  it('renames only whole names, and only inside expressions', () => {
    const renames = new Map([['a', '1x']]);
    expect(renameReferences('{{ outputs.a.v ~ outputs.ab ~ outputs["a"] }} outputs.a', renames)).toBe(
      '{{ outputs.1x.v ~ outputs.ab ~ outputs["1x"] }} outputs.a',
    );
  });
});

describe('removing and disabling', () => {
  it('says what uses a task and what is inside', () => {
    expect(removalOf(source, task('extract'))).toMatchObject({ by: ['report'], users: [task('report')] });
    expect(removalOf(source, task('each'))).toMatchObject({ children: ['load', 'check'], by: [] });
  });

  it('removes a task with its comments', () => {
    const text = removeElement(source, task('extract')) ?? '';
    expect(text).not.toContain('Reads the orders');
    expect(text).toContain('tasks:\n  - id: each\n');
  });

  it('leaves an empty list where a container loses its last task', () => {
    const one = removeElement(source, task('load')) ?? '';
    expect(removeElement(one, task('check'))).toContain('    tasks: []\n');
  });

  it('A-5.5 replaces a container with the tasks inside it', () => {
    const text = unwrapElement(source, 'each', ['load', 'check']) ?? '';
    expect(text).not.toContain('id: each');
    expect(text).toContain('  # Loads one of them.\n  - id: load\n');
    expect(text.indexOf('id: load')).toBeLessThan(text.indexOf('id: check'));
  });

  it('disables below the type and enables by removing the line', () => {
    const disabled = setElementDisabled(source, task('report'), true) ?? '';
    expect(disabled).toContain('  - id: report\n    type: core.log.Log\n    disabled: true\n');
    expect(setElementDisabled(disabled, task('report'), false)).toBe(source);
  });
});
