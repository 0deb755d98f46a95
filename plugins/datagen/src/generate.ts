import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  defineTask,
  defineTrigger,
  duration,
  flag,
  integer,
  listOf,
  part,
  type TaskContext,
  TaskFailed,
  text,
  toIonText,
  writeTypedRows,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { FakerTemplates } from './fakerExpressions.ts';

const generatorProperty = () =>
  part({
    type: text().describe(
      'The generator: `datagen.generators.JsonObjectGenerator`, `datagen.generators.StringValueGenerator` or `datagen.generators.RandomBytesGenerator`.',
    ),
    value: z
      .unknown()
      .optional()
      .describe(
        'The template: a map for JSON objects, a text for texts. Datafaker expressions such as `#{name.firstName}` are replaced.',
      ),
    locale: listOf(text())
      .optional()
      .describe('The language of the values, for example `de`; English by default.'),
    size: integer({ min: 1 }).optional().describe('How many random bytes.'),
  }).describe('The generator of the values.');

type GeneratorChoice = z.infer<ReturnType<typeof generatorProperty>>;

const batchProperties = () => ({
  store: flag().default(false).describe('Store the values in a file instead of returning one.'),
  batchSize: integer({ min: 1 }).default(1).describe('The number of values with `store`.'),
  generator: generatorProperty(),
});

const output = () =>
  z.object({
    value: z.unknown().optional().describe('The value, when it is not stored. Random bytes are base64.'),
    uri: z.string().optional().describe('The file with the values, one a row.'),
    count: z.number().describe('The number of values.'),
    size: z.number().describe('The size of the values in bytes.'),
  });

/** The returned function generates one value per call. */
async function createGenerator({ type, value, locale, size }: GeneratorChoice): Promise<() => unknown> {
  const kind = type.split('.').at(-1);
  if (kind === 'RandomBytesGenerator') {
    if (size === undefined)
      throw new TaskFailed('"generator.size" is required for random bytes.', { retry: false });
    return () => randomBytes(Math.min(size, 16 * 1024 * 1024));
  }
  if (kind !== 'JsonObjectGenerator' && kind !== 'StringValueGenerator')
    throw new TaskFailed(`The generator "${type}" is unknown.`, { retry: false });
  if (value === undefined) throw new TaskFailed('"generator.value" is required.', { retry: false });
  const templates = await FakerTemplates.load(locale);
  return kind === 'JsonObjectGenerator'
    ? () => templates.fill(value)
    : () => String(templates.fill(String(value)));
}

async function makeBatch(
  context: TaskContext,
  { store, batchSize, generator }: { store: boolean; batchSize: number; generator: GeneratorChoice },
) {
  const make = await createGenerator(generator);
  if (!store) {
    const value = make();
    const size = value instanceof Uint8Array ? value.length : Buffer.byteLength(toIonText(value));
    return {
      value: value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
      count: 1,
      size,
    };
  }
  function* values(): Generator<unknown> {
    for (let count = 0; count < batchSize; count++) yield make();
  }
  const uri = await context.files.put('values.ion', writeTypedRows(values(), context.signal).content);
  return { uri, count: batchSize, size: (await context.files.sizeOf(uri)) ?? 0 };
}

export const generate = defineTask({
  type: 'datagen.core.Generate',
  title: 'Generate test data',
  description:
    "Generates values from a template with Datafaker expressions, such as `#{name.fullName}`, `#{internet.emailAddress}` or `#{number.numberBetween '1','100'}`.",
  aliases: ['datagen.Generate'],
  input: () => z.object(batchProperties()),
  output,
  sideEffects: true,
  examples: [
    {
      title: 'Generate a file with a hundred customers.',
      runs: true,
      code: `id: customers
namespace: company.team

tasks:
  - id: customers
    type: datagen.core.Generate
    store: true
    batchSize: 100
    generator:
      type: datagen.generators.JsonObjectGenerator
      value:
        name: "#{name.fullName}"
        email: "#{internet.emailAddress}"
        age: "#{number.numberBetween '18','99'}"
`,
    },
  ],
  run: makeBatch,
});

export const generateTrigger = defineTrigger({
  type: 'datagen.core.Trigger',
  role: 'polling',
  title: 'Start with generated data at an interval',
  description: 'Starts an execution with new values at every interval.',
  aliases: ['datagen.Trigger'],
  input: () =>
    z.object({ ...batchProperties(), interval: duration().prefault('PT1S').describe('How often to start.') }),
  output,
  examples: [
    {
      title: 'An order every minute.',
      runs: false,
      code: `id: test_orders
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.value }}"

triggers:
  - id: order
    type: datagen.core.Trigger
    interval: PT1M
    generator:
      type: datagen.generators.JsonObjectGenerator
      value:
        product: "#{commerce.productName}"
`,
    },
  ],
  poll: makeBatch,
});

export const generateRealtime = defineTrigger({
  type: 'datagen.core.RealtimeTrigger',
  role: 'realtime',
  title: 'Start an execution for each generated value',
  description: 'Starts `throughput` executions per second, each with a new value.',
  aliases: ['datagen.RealtimeTrigger'],
  input: () =>
    z.object({
      maxRecords: integer({ min: 1 })
        .default(Number.MAX_SAFE_INTEGER)
        .describe('The number of values after which it stops.'),
      throughput: integer({ min: 1 }).default(1).describe('The number of values per second.'),
      reportingInterval: duration().prefault('PT15S').describe('How often it logs the number of values.'),
      generator: generatorProperty(),
    }),
  output,
  examples: [
    {
      title: 'Ten texts, one a second.',
      runs: false,
      code: `id: test_events
namespace: company.team

tasks:
  - id: show
    type: core.log.Log
    message: "{{ trigger.value }}"

triggers:
  - id: events
    type: datagen.core.RealtimeTrigger
    maxRecords: 10
    generator:
      type: datagen.generators.StringValueGenerator
      value: "#{name.fullName} has bought #{commerce.productName}"
`,
    },
  ],
  async listen(context, input, emit) {
    let reportedAt = Date.now();
    for (let made = 1; made <= input.maxRecords && !context.signal.aborted; made++) {
      await emit(await makeBatch(context, { store: false, batchSize: 1, generator: input.generator }));
      if (Date.now() - reportedAt >= input.reportingInterval) {
        reportedAt = Date.now();
        await context.log('INFO', `${made} values were generated.`);
      }
      // An abort ends the pause, and then the loop.
      await delay(1000 / input.throughput, undefined, { signal: context.signal }).catch(() => undefined);
    }
  },
});
