import { parseFlow } from '@millrace/engine';
import { coreFamily } from '@millrace/plugin-core';
import { createCatalogue, loadedFamily } from '@millrace/plugin-kit';
import { expect, test } from 'vitest';
import { createFullCatalogue } from './testing.ts';

const catalogue = createFullCatalogue();

test.each([
  ['core.log.Log', 'core.log.Log'],
  ['io.kestra.plugin.core.log.Log', 'core.log.Log'],
  ['io.kestra.core.tasks.log.Log', 'core.log.Log'],
  ['io.kestra.plugin.core.flow.WaitFor', 'core.flow.LoopUntil'],
  ['io.kestra.core.tasks.flows.Flow', 'core.flow.Subflow'],
  ['io.kestra.core.tasks.flows.Worker', 'core.flow.WorkingDirectory'],
  ['io.kestra.core.models.triggers.types.Schedule', 'core.trigger.Schedule'],
  ['core.log.Nothing', undefined],
  ['toString', undefined],
])('%s is found as %s', (written, type) => {
  expect(catalogue.find(written)?.type).toBe(type);
});

test('an older name has a replacement, the one prefix rule has none', () => {
  expect(catalogue.replacementOf('io.kestra.core.tasks.log.Log')).toBe('core.log.Log');
  expect(catalogue.replacementOf('io.kestra.plugin.core.log.Log')).toBeUndefined();
});

test('a type that is left out on purpose names its replacement', () => {
  const source = 'id: a\nnamespace: b\ntasks:\n  - id: ask\n    type: io.kestra.plugin.core.flow.Approval\n';
  const messages = parseFlow(source, catalogue).issues.map(({ message }) => message);
  expect(messages).toEqual([expect.stringContaining('core.flow.Approval; use core.flow.Pause')]);
});

test('a task that only computes says so', () => {
  expect(catalogue.find('core.log.Log')?.sideEffects).toBe(false);
  expect(catalogue.find('core.flow.Subflow')?.sideEffects).toBe(true);
});

test('two definitions of one type are refused', () => {
  const family = loadedFamily(coreFamily);
  expect(() => createCatalogue([family, family])).toThrow('is defined twice');
});
