import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffFlows, type FlowChange } from './diff.ts';
import { parseFlow } from './parseFlow.ts';

const flow = (tasks: string, more = '') => parseFlow(`id: f\nnamespace: n\n${more}tasks:\n${tasks}`).flow!;
const log = (id: string, message = id, indent = 2) => {
  const space = ' '.repeat(indent);
  return `${space}- id: ${id}\n${space}  type: core.log.Log\n${space}  message: "${message}"\n`;
};
const box = (id: string, inside: string) =>
  `  - id: ${id}\n    type: core.flow.Sequential\n    tasks:\n${inside}`;
const words = (changes: readonly FlowChange[]) =>
  changes.map((change) => {
    if (change.kind === 'flow') return `flow ${change.property.path}`;
    if (change.kind === 'changed')
      return `changed ${change.part} ${change.id}: ${change.properties.map(({ path }) => path).join()}`;
    if (change.kind === 'renamed') return `renamed ${change.part} ${change.before} > ${change.id}`;
    if (change.kind === 'moved')
      return `moved ${change.id} after ${change.after ?? '-'} in ${change.to.parent ?? 'flow'}`;
    return `${change.kind} ${change.part} ${change.id}`;
  });

describe('the changes between two revisions', () => {
  it('names added, removed and changed tasks with the properties that differ', () => {
    const before = flow(log('a') + log('b'));
    const after = flow(log('a', 'other') + box('c', log('x', 'new', 6)));
    expect(words(diffFlows(before, after))).toEqual([
      'removed task b',
      'changed task a: message',
      'added task c',
      'added task x',
    ]);
  });

  it('recognizes a new id as a rename, and expressions that follow it as no change', () => {
    const before = flow(log('a') + log('b', '{{ outputs.a.value }}'));
    const after = flow(log('first', 'a') + log('b', '{{ outputs.first.value }}'));
    expect(words(diffFlows(before, after))).toEqual(['renamed task a > first']);
  });

  it('recognizes a task that was renamed and changed at once, also when tasks were added around it', () => {
    const query = (id: string, limit: number) =>
      `  - id: ${id}\n    type: jdbc.postgresql.Query\n    url: jdbc:postgresql://db/shop\n    sql: select * from orders limit ${limit}\n`;
    const before = flow(log('a') + query('load', 10) + log('b', 'Loaded all orders'));
    const after = flow(
      log('start') + log('a') + log('check') + query('loadOrders', 50) + log('done', 'Loaded all the orders'),
    );
    expect(words(diffFlows(before, after))).toEqual([
      'added task start',
      'added task check',
      'renamed task load > loadOrders',
      'changed task loadOrders: sql',
      'renamed task b > done',
      'changed task done: message',
    ]);
    // A container has few properties, so the tasks inside tell it; another task of the same type is not taken for it.
    const boxed = flow(box('s', log('x', 'x', 6) + log('y', 'y', 6)) + log('a', 'one thing'));
    expect(
      words(
        diffFlows(
          boxed,
          flow(log('z') + box('group', log('x', 'x', 6) + log('y', 'y', 6)) + log('b', 'another')),
        ),
      ),
    ).toEqual(['removed task a', 'added task z', 'renamed task s > group', 'added task b']);
  });

  it('names the fewest tasks that moved, in their list and between lists', () => {
    const before = flow(log('a') + log('b') + log('c') + log('d'));
    expect(words(diffFlows(before, flow(log('d') + log('a') + log('b') + log('c'))))).toEqual([
      'moved d after - in flow',
    ]);
    const boxed = flow(log('a') + box('s', log('x', 'x', 6)) + log('b'));
    const moved = flow(log('a') + box('s', log('x', 'x', 6) + log('b', 'b', 6)));
    expect(words(diffFlows(boxed, moved))).toEqual(['moved b after x in s']);
  });

  it('does not call the children of a renamed container moved', () => {
    const before = flow(box('s', log('x', 'x', 6)));
    expect(words(diffFlows(before, flow(box('renamed', log('x', 'x', 6)))))).toEqual([
      'renamed task s > renamed',
    ]);
  });

  it('compares triggers, inputs and the settings of the flow', () => {
    const trigger = (cron: string) =>
      `triggers:\n  - id: t\n    type: core.trigger.Schedule\n    cron: "${cron}"\n`;
    const input = 'inputs:\n  - id: day\n    type: DATE\n';
    const before = flow(log('a'), `${trigger('0 1 * * *')}description: old\n`);
    const after = flow(log('a'), `${trigger('0 2 * * *')}${input}labels:\n  team: data\n`);
    expect(words(diffFlows(before, after))).toEqual([
      'changed trigger t: cron',
      'added input day',
      'flow description',
      'flow labels',
    ]);
  });

  it('names what a task of a Dag depends on', () => {
    const dag = (dependsOn: string) =>
      flow(
        `  - id: d\n    type: core.flow.Dag\n    tasks:\n      - task:\n          id: a\n          type: core.log.Log\n          message: a\n      - task:\n          id: b\n          type: core.log.Log\n          message: b\n${dependsOn}`,
      );
    expect(words(diffFlows(dag(''), dag('        dependsOn: [a]\n')))).toEqual(['changed task b: dependsOn']);
  });

  it('finds nothing between a flow and itself, and every removed task added on the way back', () => {
    const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'g'), { minLength: 1 });
    fc.assert(
      fc.property(ids, ids, (one, two) => {
        // The same type and no content: neither can be taken for a rename of the other.
        const draw = (list: readonly string[]) =>
          flow(list.map((id) => `  - id: ${id}\n    type: plugin.${id}.Task\n`).join(''));
        expect(diffFlows(draw(one), draw(one))).toEqual([]);
        const there = diffFlows(draw(one), draw(two));
        const back = diffFlows(draw(two), draw(one));
        const named = (changes: readonly FlowChange[], kind: string) =>
          changes.flatMap((change) => (change.kind === kind && 'id' in change ? [change.id] : [])).toSorted();
        expect(named(there, 'added')).toEqual(named(back, 'removed'));
        expect(named(there, 'removed')).toEqual(one.filter((id) => !two.includes(id)).toSorted());
        expect(named(there, 'moved').length).toBe(named(back, 'moved').length);
      }),
      { numRuns: 100 },
    );
  });
});
