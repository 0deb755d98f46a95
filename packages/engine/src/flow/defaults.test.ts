import type { Flow, PluginDefault } from '@millrace/contract';
import { describe, expect, it } from 'vitest';
import { applyDefaults } from './defaults.ts';

const flow = (task: object, pluginDefaults: PluginDefault[]): Flow => ({
  id: 'f',
  namespace: 'n',
  revision: 1,
  disabled: false,
  deleted: false,
  tasks: [{ id: 'a', type: 'io.kestra.plugin.core.log.Log', ...task }],
  pluginDefaults,
});
const entry = (type: string, values: Record<string, unknown>, forced = false): PluginDefault => ({
  type,
  values,
  forced,
});
const fill = (task: object, entries: PluginDefault[], globalDefaults: PluginDefault[] = []) => {
  const { id: _id, type: _type, ...rest } = applyDefaults(flow(task, entries), { globalDefaults }).tasks[0]!;
  return rest;
};

describe('applyDefaults', () => {
  it.each<[string, object, PluginDefault[], object]>([
    ['what is missing', { a: 1 }, [entry('core.log.Log', { a: 2, b: 3 })], { a: 1, b: 3 }],
    ['by prefix', {}, [entry('io.kestra.plugin.core', { b: 3 })], { b: 3 }],
    ['not another type', {}, [entry('core.log.Logger', { b: 3 })], {}],
    ['the first entry wins', {}, [entry('core', { a: 1 }), entry('core.log', { a: 2 })], { a: 1 }],
    ['forced over the task', { a: 1 }, [entry('core', { a: 2 }, true)], { a: 2 }],
    ['the first forced wins', {}, [entry('core', { a: 1 }, true), entry('core', { a: 2 }, true)], { a: 1 }],
    ['maps deeply', { o: { x: 1 } }, [entry('core', { o: { x: 2, y: 3 } })], { o: { x: 1, y: 3 } }],
    ['lists in front', { l: [3] }, [entry('core', { l: [1, 2] })], { l: [1, 2, 3] }],
    ['never who it is', {}, [entry('core', { id: 'z', type: 'x.Y', b: 1 }, true)], { b: 1 }],
    [
      'inside the task too',
      { runner: { type: 'core.runner.Process' } },
      [entry('core.runner', { c: 1 })],
      { runner: { type: 'core.runner.Process', c: 1 } },
    ],
  ])('[E150] fills in %s', (_, task, entries, expected) => {
    expect(fill(task, entries)).toEqual(expected);
  });

  it('[E150] the flow is stronger than the server', () => {
    expect(fill({}, [entry('core', { a: 1 })], [entry('core', { a: 2, b: 2 })])).toEqual({ a: 1, b: 2 });
    expect(fill({}, [entry('core', { a: 1 }, true)], [entry('core', { a: 2 }, true)])).toEqual({ a: 1 });
  });

  it('[E150] aliases resolve both ways', () => {
    const loop = { type: 'io.kestra.plugin.core.flow.WaitFor' };
    expect(fill(loop, [entry('core.flow.LoopUntil', { a: 1 })])).toEqual({ a: 1 });
    expect(fill({ type: 'core.flow.LoopUntil' }, [entry('core.flow.WaitFor', { a: 1 })])).toEqual({ a: 1 });
  });

  it('[E150] reaches nested tasks and triggers, and leaves the flow alone where nothing matches', () => {
    const nested = flow({ type: 'core.flow.Sequential', tasks: [{ id: 'b', type: 'core.log.Log' }] }, [
      entry('core.log', { x: 1 }),
    ]);
    expect(applyDefaults(nested).tasks[0]).toMatchObject({ tasks: [{ id: 'b', x: 1 }] });
    const untouched = flow({}, [entry('other', { x: 1 })]);
    expect(applyDefaults(untouched)).toBe(untouched);
  });
});
