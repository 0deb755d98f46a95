import { parseFlow } from '@millrace/engine';
import { expect, it } from 'vitest';
import { suiteSchema } from './suiteSchema.ts';

it('a test suite is completed with the tasks, inputs, triggers and branches of its flow', () => {
  const { flow } = parseFlow(`id: orders
namespace: shop
inputs: [{ id: day, type: DATE }]
tasks:
  - id: choose
    type: core.flow.Switch
    value: "{{ inputs.day }}"
    cases:
      monday: [{ id: first, type: core.log.Log, message: x }]
triggers: [{ id: hook, type: core.trigger.Webhook, key: k }]
`);
  const text = JSON.stringify(flow && suiteSchema(flow));
  expect(text).toContain('"enum":["choose","first"]');
  expect(text).toContain(
    '"inputs":{"type":"object","description":"The inputs of the execution.","properties":{"day"',
  );
  expect(text).toContain('"enum":["hook"]');
  expect(text).toContain('"enum":["then","else","monday","defaults","run","skip"]');
  expect(text).toContain('"KILLED"');
});
