import { choice, defineTask, TaskFailed } from '@millrace/plugin-kit';
import { z } from 'zod';
import { isMap, WrongRecord } from '../language/evaluate.ts';
import { Counters, metricsOf } from './counters.ts';
import { failedRecord } from './fields.ts';
import { inputsProperty, openLockStep } from './lockStep.ts';
import { giveRecords, outputProperties, recordsOutput } from './recordFiles.ts';

export const zipRecords = defineTask({
  type: 'transform.Zip',
  title: 'Merge records by position',
  description:
    'Merges the first records of all inputs into one, then the second ones, and so on. All inputs must have the same length.',
  input: () =>
    z.object({
      inputs: inputsProperty(),
      onError: choice(['FAIL', 'SKIP'])
        .default('FAIL')
        .describe('What to do with records that cannot be merged: fail, or leave them out.'),
      onConflict: choice(['FAIL', 'LEFT', 'RIGHT'])
        .default('FAIL')
        .describe('Which value a field has that several inputs have: fail, the first, or the last.'),
      ...outputProperties(),
    }),
  output: recordsOutput,
  metrics: metricsOf('processed', 'failed', 'dropped'),
  sideEffects: true,
  examples: [
    {
      title: 'Put names beside scores.',
      runs: true,
      code: `id: zip
namespace: company.team

tasks:
  - id: zip
    type: transform.Zip
    inputs:
      - [{name: Ada}, {name: Bob}]
      - [{score: 10}, {score: 7}]
`,
    },
  ],
  async run(context, input) {
    const counters = new Counters();
    const { isFile, rows } = openLockStep(context, input.inputs);
    async function* records(): AsyncGenerator<unknown> {
      for await (const row of rows) {
        counters.add('processed');
        if (row.includes(undefined))
          throw new TaskFailed(
            `The inputs have different lengths: one ends before record ${counters.get('processed')}.`,
            {
              retry: false,
            },
          );
        try {
          yield merge(row, input.onConflict);
        } catch (error) {
          if (!(error instanceof WrongRecord)) throw error;
          counters.add('failed');
          if (input.onError === 'FAIL') throw failedRecord(counters.get('processed'), error);
          counters.add('dropped');
        }
      }
    }
    const output = await giveRecords(context, input.outputType, isFile, records());
    counters.report(context, 'processed', 'failed', 'dropped');
    return output;
  },
});

function merge(row: readonly unknown[], onConflict: 'FAIL' | 'LEFT' | 'RIGHT'): unknown {
  const merged = new Map<string, unknown>();
  for (const record of row) {
    if (!isMap(record)) throw new WrongRecord('it is no map');
    for (const [name, value] of Object.entries(record)) {
      const isTaken = merged.has(name);
      if (isTaken && onConflict === 'FAIL') throw new WrongRecord(`several inputs have the field "${name}"`);
      if (!isTaken || onConflict === 'RIGHT') merged.set(name, value);
    }
  }
  return Object.fromEntries(merged);
}
