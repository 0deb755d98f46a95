import { type JsonMap, mapIn, type TaskContext, TaskFailed, textOf } from '@millrace/plugin-kit';
import { bearer } from '../rest/auth.ts';
import type { RestClient } from '../rest/client.ts';
import { type OutputFields, out } from '../rest/outputs.ts';
import { type InputOf, may, need, preset, requestOptions } from '../rest/properties.ts';
import { defineService } from '../rest/service.ts';

const apify = defineService({
  name: 'Apify',
  prefix: 'apify',
  baseUrl: 'https://api.apify.com/v2',
  properties: { apiToken: need.secret('An API token.'), ...requestOptions },
  auth: ({ apiToken }) => bearer(apiToken),
  example: { apiToken: "{{ secret('APIFY_TOKEN') }}" },
});

const runProperties = {
  input: may.map('The input of the actor.'),
  requestTimeout: may.decimal('The longest duration of the run, in seconds.'),
  memory: may.choice(
    ['MB_128', 'MB_256', 'MB_512', 'MB_1024', 'MB_2048', 'MB_4096', 'MB_8192', 'MB_16384', 'MB_32768'],
    'The memory of the run.',
  ),
  maxItems: may.integer('The most items that are charged.'),
  maxTotalChargeUsd: may.decimal('The most that the run may cost, in US dollars.'),
  build: may.text('The build of the actor; the default one when absent.'),
  waitForFinish: may.integer(
    'How many seconds to wait for the end of the run; the task does not wait when absent.',
  ),
  webhooks: may.text('Webhooks of the run, as base64 of JSON.'),
};

const runOutput: OutputFields = {
  id: out.text('The id of the run.'),
  actId: out.text('The id of the actor.'),
  actorTaskId: out.text('The id of the task of the actor.'),
  userId: out.text('The id of the user.'),
  status: out.text('The state of the run, such as `SUCCEEDED`.'),
  statusMessage: out.text('A message of the actor.'),
  startedAt: out.text('When the run started.'),
  finishedAt: out.text('When the run ended.'),
  meta: out.map('Where the run came from.'),
  stats: out.map('What the run used.'),
  options: out.map('The options of the run.'),
  exitCode: out.decimal('The exit code of the actor.'),
  buildId: out.text('The id of the build.'),
  buildNumber: out.text('The number of the build.'),
  defaultKeyValueStoreId: out.text('The key-value store of the run.'),
  defaultDatasetId: out.text('The dataset with the results.'),
  defaultRequestQueueId: out.text('The request queue of the run.'),
  containerUrl: out.text('The address of the container.'),
  isContainerServerReady: out.flag('Whether the container takes requests.'),
  gitBranchName: out.text('The branch of the build.'),
  usage: out.map('What is charged.'),
  usageUsd: out.map('What is charged, in US dollars.'),
  usageTotalUsd: out.text('The price of the run, in US dollars.'),
  pricingInfo: out.map('How the actor is priced.'),
  chargedEventCounts: out.map('The events that were charged.'),
  generalAccess: out.text('Who may read the run.'),
};

/** A run as the outputs show it; states have underscores. */
const toRun = (run: JsonMap): JsonMap => ({
  ...Object.fromEntries(
    Object.keys(runOutput).flatMap((name) => (run[name] == null ? [] : [[name, run[name]]])),
  ),
  status: textOf(run.status)?.replaceAll('-', '_'),
});

/** The maximum wait that one API request accepts. */
const longestSeconds = 60;

async function startRun(
  client: RestClient,
  context: TaskContext,
  path: string,
  input: InputOf<typeof runProperties>,
): Promise<JsonMap> {
  let secondsLeft = input.waitForFinish ?? 0;
  const nextWait = () => {
    const wait = Math.min(secondsLeft, longestSeconds);
    secondsLeft -= wait;
    return wait;
  };
  let run = mapIn(
    (
      await client.ask({
        method: 'POST',
        path,
        query: {
          timeout: input.requestTimeout,
          memory: input.memory?.replace('MB_', ''),
          maxItems: input.maxItems,
          maxTotalChargeUsd: input.maxTotalChargeUsd,
          build: input.build,
          waitForFinish: input.waitForFinish === undefined ? undefined : nextWait(),
          webhooks: input.webhooks,
        },
        body: input.input ?? {},
      })
    ).data,
  );
  while (secondsLeft > 0 && (run.status === 'READY' || run.status === 'RUNNING')) {
    context.signal.throwIfAborted();
    const query = { waitForFinish: nextWait() };
    run = mapIn((await client.ask({ path: `/actor-runs/${run.id}`, query })).data);
  }
  if (['FAILED', 'ABORTED', 'TIMED-OUT'].includes(String(run.status)))
    throw new TaskFailed(`The run ${run.id} ended as ${run.status}: ${textOf(run.statusMessage) ?? ''}`);
  return toRun(run);
}

/** Names of actors have a slash, which their ids in addresses write as a tilde. */
const idOf = (name: string): string => encodeURIComponent(name.replace('/', '~'));

const runActor = apify.task({
  type: 'actor.Run',
  title: 'Run an actor of Apify',
  description: 'Starts an actor. With `waitForFinish` the task waits, and fails when the run fails.',
  properties: {
    ...runProperties,
    actorId: need.text('The id of the actor, or its name such as `apify/web-scraper`.'),
  },
  output: runOutput,
  run: (client, input, context) => startRun(client, context, `/acts/${idOf(input.actorId)}/runs`, input),
  example: {
    actorId: 'apify/web-scraper',
    input: { startUrls: [{ url: 'https://example.com' }] },
    memory: 'MB_1024',
    waitForFinish: 90,
  },
});

const runTask = apify.task({
  type: 'task.Run',
  title: 'Run a task of Apify',
  description: 'Starts a stored task. With `waitForFinish` the task waits, and fails when the run fails.',
  properties: {
    ...runProperties,
    taskId: need.text('The id of the task, or its name such as `ada/prices`.'),
  },
  output: runOutput,
  run: (client, input, context) =>
    startRun(client, context, `/actor-tasks/${idOf(input.taskId)}/runs`, input),
  example: { taskId: 'ada/prices' },
});

const lastRun = apify.task({
  type: 'dataset.GetLastRun',
  title: 'Get the last run of an actor of Apify',
  description: 'Reads the last run of an actor, with the id of its dataset.',
  properties: { actorId: need.text('The id of the actor, or its name.') },
  output: runOutput,
  run: async (client, { actorId }) =>
    toRun(mapIn((await client.ask({ path: `/acts/${idOf(actorId)}/runs/last` })).data)),
  example: { actorId: 'apify/web-scraper' },
});

const datasetProperties = {
  datasetId: need.text('The id of the dataset.'),
  clean: preset.flag(true, 'Only items that are not empty, without hidden fields.'),
  offset: preset.integer(0, 'How many items are skipped.'),
  limit: preset.integer(1000, 'The most items.'),
  fields: may.texts('The fields; all when absent.'),
  omit: may.texts('Fields that are left out.'),
  unwind: may.texts('Fields whose lists become items.'),
  flatten: preset.flag(false, 'Nested fields become fields with dots.'),
  sort: preset.choice(['ASC', 'DESC'], 'ASC', 'The order of the items.'),
  skipEmpty: preset.flag(true, 'Leave out empty items.'),
  skipFailedPages: preset.flag(false, 'Leave out items of pages that failed.'),
  view: may.text('The view of the dataset.'),
  skipHidden: preset.flag(false, 'Leave out hidden fields.'),
  simplified: preset.flag(false, 'The older, simplified format.'),
};

const datasetQuery = (input: InputOf<typeof datasetProperties>): JsonMap => ({
  clean: input.clean,
  offset: input.offset,
  limit: input.limit,
  fields: input.fields?.join(','),
  omit: input.omit?.join(','),
  unwind: input.unwind?.join(','),
  flatten: input.flatten || undefined,
  desc: input.sort === 'DESC' || undefined,
  skipEmpty: input.skipEmpty,
  skipFailedPages: input.skipFailedPages || undefined,
  view: input.view,
  skipHidden: input.skipHidden || undefined,
  simplified: input.simplified || undefined,
});

const getDataset = apify.task({
  type: 'dataset.Get',
  title: 'Get the items of a dataset of Apify',
  description: 'Reads the items of a dataset into the outputs.',
  properties: datasetProperties,
  request: 'GET /datasets/{datasetId}/items',
  query: (input) => ({ ...datasetQuery(input), format: 'json' }),
  output: { dataset: out.list('The items.', '') },
  example: { datasetId: 'd1', fields: ['url', 'title'], limit: 100 },
});

const saveDataset = apify.task({
  type: 'dataset.Save',
  deprecated: true,
  title: 'Save the items of a dataset of Apify as a file',
  description: 'Stores the items of a dataset as a file in one of the formats of Apify.',
  properties: {
    ...datasetProperties,
    format: preset.choice(['JSON', 'JSONL', 'XML', 'CSV', 'XLSX', 'RSS'], 'JSON', 'The format of the file.'),
    delimiter: preset.text(',', 'The separator of CSV.'),
    bom: may.flag('Write a byte order mark.'),
    xmlRoot: preset.text('items', 'The root element of XML.'),
    xmlRow: preset.text('item', 'The element of each item in XML.'),
    skipHeaderRow: preset.flag(false, 'CSV without names of columns.'),
  },
  output: { path: out.text('The file in internal storage.') },
  run: async (client, input) => {
    const format = input.format.toLowerCase();
    const { uri } = await client.download(
      {
        path: `/datasets/${encodeURIComponent(input.datasetId)}/items`,
        query: {
          ...datasetQuery(input),
          format,
          ...(format === 'csv' && { delimiter: input.delimiter, skipHeaderRow: input.skipHeaderRow }),
          ...(format === 'xml' && { xmlRoot: input.xmlRoot, xmlRow: input.xmlRow }),
          bom: input.bom,
        },
      },
      `dataset.${format}`,
    );
    return { path: uri };
  },
  example: { datasetId: 'd1', format: 'CSV' },
});

export const apifyTypes = [runActor, runTask, lastRun, getDataset, saveDataset];
