import { aTaskContext, realProcesses, runType } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import { beamRunPipeline } from './pipelines.ts';

/** The folder of a `python` with the SDK of Apache Beam; `npm run test:connectors` installs it. */
const bin = process.env.MILLRACE_TEST_BEAM;

describe.skipIf(!bin)('Apache Beam', () => {
  const run = (properties: Record<string, unknown>, context = aTaskContext({ spawn: realProcesses })) =>
    runType(beamRunPipeline, { beforeCommands: [`PATH="${bin}:$PATH"`], ...properties }, context);

  test('a pipeline in YAML reads, filters and writes rows', { timeout: 300_000 }, async () => {
    const context = aTaskContext({ spawn: realProcesses });
    const outputs = await run(
      {
        inputFiles: { 'orders.csv': 'id,total\n1,90\n2,200\n3,300\n' },
        definition: `pipeline:
  type: chain
  transforms:
    - type: ReadFromCsv
      config: {path: orders.csv}
    - type: Filter
      config: {language: python, keep: total > 100}
    - type: WriteToJson
      config: {path: large.json, num_shards: 1}
`,
        outputFiles: ['large*'],
      },
      context,
    );
    expect(outputs.exitCode).toBe(0);
    const [uri = ''] = Object.values(outputs.outputFiles as Record<string, string>);
    const rows = (await context.files.text(uri)).trim().split('\n');
    expect(rows.map((row) => JSON.parse(row))).toEqual([
      { id: 2, total: 200 },
      { id: 3, total: 300 },
    ]);
  });

  test('a script gets the runner and the options', { timeout: 300_000 }, async () => {
    const context = aTaskContext({ spawn: realProcesses });
    const outputs = await run(
      {
        inputFiles: {
          'count.py': `import apache_beam as beam, sys
from apache_beam.options.pipeline_options import PipelineOptions
options = PipelineOptions(sys.argv[1:])
with beam.Pipeline(options=options) as pipeline:
    (pipeline | beam.Create([1, 2, 3]) | beam.CombineGlobally(sum)
     | beam.Map(lambda total: print('::{"outputs": {"total": %d}}::' % total)))
`,
        },
        file: 'count.py',
        options: { job_name: 'count' },
      },
      context,
    );
    expect(outputs).toMatchObject({ exitCode: 0, vars: { total: 6 } });
  });

  test('a wrong pipeline fails with the message of Beam', { timeout: 300_000 }, async () => {
    const context = aTaskContext({ spawn: realProcesses });
    const definition = 'pipeline:\n  type: chain\n  transforms:\n    - type: NoSuchTransform\n';
    await expect(run({ definition }, context)).rejects.toThrow('Command failed with exit code');
    expect(context.logs.map(({ message }) => message).join('\n')).toContain('NoSuchTransform');
  });
});
