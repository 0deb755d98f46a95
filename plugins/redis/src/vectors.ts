import {
  anything,
  choice,
  decimal,
  defineTask,
  flag,
  integer,
  listOf,
  mapOf,
  oneOf,
  type TaskDefinition,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { urlProperty, withRedis } from './client.ts';
import { redisExample } from './example.ts';

const words = 'The server must be Redis 8 or newer, which has vector sets.';
const vectorArguments = (vector: readonly number[]): string[] => [
  'VALUES',
  String(vector.length),
  ...vector.map(String),
];
const option = (name: string, value: number | string | undefined): string[] =>
  value === undefined ? [] : [name, String(value)];

const add = defineTask({
  type: 'redis.vector.Add',
  title: 'Add a vector to a Redis vector set',
  description: `Stores an element with its vector. ${words}`,
  input: () =>
    z.object({
      url: urlProperty(),
      key: text().describe('The key of the vector set.'),
      element: text().describe('The name of the element.'),
      vector: listOf(decimal()).describe('The vector.'),
      reduceDim: integer({ min: 1 }).optional().describe('Reduce the vector to this many dimensions.'),
      quantization: choice(['NO_QUANTIZATION', 'BINARY', 'Q8'])
        .optional()
        .describe('How numbers are stored.'),
      explorationFactor: integer({ min: 1 }).optional().describe('How many candidates are looked at (`EF`).'),
      maxNodes: integer({ min: 1 }).optional().describe('The most links of a node (`M`).'),
      checkAndSet: flag().optional().describe('Look for neighbors in the background (`CAS`).'),
      attributes: mapOf(anything()).optional().describe('Attributes for filters.'),
    }),
  output: () => z.object({ added: z.boolean().describe('False when the element existed and was updated.') }),
  sideEffects: true,
  examples: [
    redisExample('vector.Add', 'Add a vector.', ['key: words', 'element: apple', 'vector: [0.1, 0.9]']),
  ],
  run: (context, { url, key, element, vector, ...options }) =>
    withRedis(context, url, async (redis) => {
      const quantization = { NO_QUANTIZATION: 'NOQUANT', BINARY: 'BIN', Q8: 'Q8' } as const;
      const answer = await redis.call(
        'VADD',
        key,
        ...option('REDUCE', options.reduceDim),
        ...vectorArguments(vector),
        element,
        ...(options.checkAndSet ? ['CAS'] : []),
        ...(options.quantization ? [quantization[options.quantization]] : []),
        ...option('EF', options.explorationFactor),
        ...option('SETATTR', options.attributes && JSON.stringify(options.attributes)),
        ...option('M', options.maxNodes),
      );
      return { added: Number(answer) === 1 };
    }),
});

const remove = defineTask({
  type: 'redis.vector.Delete',
  title: 'Delete elements of a Redis vector set',
  description: `Deletes elements. ${words}`,
  input: () =>
    z.object({
      url: urlProperty(),
      key: text().describe('The key of the vector set.'),
      elements: listOf(text(), { min: 1 }).describe('The names of the elements.'),
      failedOnMissing: flag().default(false).describe('Fail when an element does not exist.'),
    }),
  output: () => z.object({ count: z.number().describe('How many elements were deleted.') }),
  sideEffects: true,
  examples: [redisExample('vector.Delete', 'Delete an element.', ['key: words', 'elements:', '  - apple'])],
  run: (context, { url, key, elements, failedOnMissing }) =>
    withRedis(context, url, async (redis) => {
      let count = 0;
      for (const element of elements) count += Number(await redis.call('VREM', key, element));
      if (failedOnMissing && count < elements.length)
        throw new TaskFailed(`Only ${count} of ${elements.length} elements existed.`, { retry: false });
      return { count };
    }),
});

const similarity = defineTask({
  type: 'redis.vector.Similarity',
  title: 'Find similar elements of a Redis vector set',
  description: `Returns the elements that are most similar to a vector or to another element. ${words}`,
  check: oneOf('vector', 'element'),
  input: () =>
    z.object({
      url: urlProperty(),
      key: text().describe('The key of the vector set.'),
      vector: listOf(decimal()).optional().describe('The vector to compare with.'),
      element: text().optional().describe('The element to compare with.'),
      count: integer({ min: 1 }).optional().describe('The most elements that are returned.'),
      filter: text().optional().describe('A filter on attributes, such as `.year > 2000`.'),
      filterEfficiency: integer({ min: 0 })
        .optional()
        .describe('The most tries of the filter (`FILTER-EF`).'),
      explorationFactor: integer({ min: 1 }).optional().describe('How many candidates are looked at (`EF`).'),
      epsilon: decimal().optional().describe('The largest distance of a match.'),
    }),
  output: () =>
    z.object({
      matches: z.array(z.string()).describe('The elements, the most similar first.'),
      scores: z.record(z.string(), z.number()).describe('The similarity of each element, from 0 to 1.'),
    }),
  sideEffects: true,
  examples: [
    redisExample('vector.Similarity', 'Find similar words.', ['key: words', 'element: apple', 'count: 5']),
  ],
  run: (context, { url, key, vector, element, ...options }) =>
    withRedis(context, url, async (redis) => {
      const subject = vector ? vectorArguments(vector) : ['ELE', element ?? ''];
      const answer = await redis.call(
        'VSIM',
        key,
        ...subject,
        'WITHSCORES',
        ...option('COUNT', options.count),
        ...option('EPSILON', options.epsilon),
        ...option('EF', options.explorationFactor),
        ...option('FILTER', options.filter),
        ...option('FILTER-EF', options.filterEfficiency),
      );
      const flat = (Array.isArray(answer) ? answer : []).map(String);
      const matches = flat.filter((_, index) => index % 2 === 0);
      return {
        matches,
        scores: Object.fromEntries(matches.map((name, index) => [name, Number(flat[index * 2 + 1])])),
      };
    }),
});

export const vectorTasks: readonly TaskDefinition[] = [add, remove, similarity];
