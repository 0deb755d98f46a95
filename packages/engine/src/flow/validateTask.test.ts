import { expect, it } from 'vitest';
import { validateTask } from './validateTask.ts';

it.each<[string, 'TASKS' | 'TRIGGERS', string | undefined]>([
  ['id: a\ntype: core.log.Log\n', 'TASKS', undefined],
  ['{"id": "a", "type": "core.log.Log"}', 'TASKS', undefined],
  ['type: core.log.Log\n', 'TASKS', 'id: is required'],
  ['id: a\ntype: core.flow.Sequential\ntasks: []\n', 'TASKS', 'tasks: at least one task is needed'],
  ['id: t\ntype: core.trigger.Schedule\ncron: x\n', 'TRIGGERS', 'cron: "x" has 1 fields; expected 5'],
  ['id: t\ntype: core.trigger.Webhook\nkey: k\n', 'TRIGGERS', undefined],
  ['- a\n', 'TASKS', 'expected a map with an id and a type'],
  ['a: [', 'TASKS', expect.stringMatching(/^yaml: /) as unknown as string],
])('[E167] %j in %s gives %s', (source, section, constraints) => {
  expect(validateTask(source, section).constraints).toEqual(constraints);
});
