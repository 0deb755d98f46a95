import { startS3 } from '@millrace/plugin-aws/testing';
import { families } from '@millrace/plugins';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sharedServer, stateOf } from './testing/aServer.ts';
import { sqlite } from './testing/databases.ts';
import { multipart } from './testing/multipart.ts';

const definitions = families
  .filter(({ name }) => name === 'aws' || name === 'serdes')
  .flatMap(({ types }) => types);
const shared = sharedServer(sqlite, { definitions });
let s3: Awaited<ReturnType<typeof startS3>>;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.stop());

const connection = () =>
  Object.entries(s3.aws)
    .map(([name, value]) => `      ${name}: ${value}`)
    .join('\n');
const flow = (id: string, body: string) => `id: ${id}
namespace: company.team
pluginDefaults:
  - type: aws.s3
    values:
${connection()}
${body}`;

const outputsOf = (execution: Record<string, unknown>, taskId: string) =>
  (execution.taskRunList as { taskId: string; outputs: Record<string, unknown> }[]).find(
    (run) => run.taskId === taskId,
  )?.outputs;

/** The keys of both buckets, read by a flow. */
async function keysInBuckets(): Promise<unknown> {
  const server = shared();
  await server.saveFlow(
    flow(
      'list_buckets',
      `tasks:
  - {id: files, type: aws.s3.List, bucket: files}
  - {id: archive, type: aws.s3.List, bucket: archive}`,
    ),
  );
  const listed = await server.run('list_buckets');
  return ['files', 'archive'].map((id) =>
    ((outputsOf(listed, id)?.objects ?? []) as { key: string }[]).map(({ key }) => key),
  );
}

it('a file that arrives in S3 starts a flow, is processed and moved', async () => {
  const server = shared();
  await server.saveFlow(
    flow(
      'upload',
      `inputs:
  - {id: file, type: FILE}
tasks:
  - {id: put, type: aws.s3.Upload, bucket: files, key: inbox/orders.csv, from: "{{ inputs.file }}"}`,
    ),
  );
  await server.saveFlow(
    flow(
      'arrival',
      `tasks:
  - id: each
    type: core.flow.ForEach
    values: "{{ trigger.objects | jq('.[].uri') }}"
    tasks:
      - {id: rows, type: serdes.csv.CsvToIon, from: "{{ taskrun.value }}"}
      - {id: json, type: serdes.json.IonToJson, from: "{{ outputs.rows[taskrun.value].uri }}", newLine: true}
      - {id: put, type: aws.s3.Upload, bucket: files, key: done/orders.jsonl, from: "{{ outputs.json[taskrun.value].uri }}"}
triggers:
  - id: watch
    type: aws.s3.Trigger
    bucket: files
    prefix: inbox/
    interval: PT1S
    action: MOVE
    moveTo: {bucket: archive, key: seen}`,
    ),
  );
  const file = multipart({ name: 'file', fileName: 'orders.csv', content: 'id,name\n1,Ada\n2,Grace\n' });
  const started = await server.call('POST', '/executions/company.team/upload', file);
  expect(started.status).toBe(200);

  const found = async () =>
    (await server.call('GET', '/executions/search?flowId=arrival')).body.results as { id: string }[];
  await expect.poll(async () => (await found()).length).toBe(1);
  const [execution] = await found();
  const ended = await server.waitForState(execution?.id ?? '', 'SUCCESS', 'FAILED', 'WARNING', 'KILLED');
  expect(stateOf(ended)).toBe('SUCCESS');
  expect(ended.trigger).toMatchObject({
    variables: { objects: [{ key: 'inbox/orders.csv', changeType: 'CREATE' }] },
  });
  await expect.poll(keysInBuckets).toEqual([['done/orders.jsonl'], ['seen/orders.csv']]);
  // Moved objects start nothing again.
  expect(await found()).toHaveLength(1);
});
