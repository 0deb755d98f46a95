import {
  anything,
  choice,
  decimal,
  duration,
  type FetchType,
  flag,
  httpOptions,
  integer,
  listOf,
  mapOf,
  storageUri,
  text,
  textOrJson,
} from '@millrace/plugin-kit';
import type { z } from 'zod';

/** A property of a call. Its schema is made when a flow first uses the type. */
export interface Property<T = unknown> {
  schema(): z.ZodType<T>;
  /** The value never appears in a log or a message. */
  readonly isSecret?: boolean;
}

export type Properties = Readonly<Record<string, Property>>;

/** The values of properties as a call reads them. */
export type InputOf<P extends Properties> = {
  readonly [K in keyof P]: P[K] extends Property<infer T> ? T : never;
};

type Choices = readonly [string, ...string[]];

const maps = () => listOf(mapOf(anything()));
const texts = () => listOf(text());
const integers = () => listOf(integer());
const map = () => mapOf(anything());
const textMap = () => mapOf(text());
const list = () => listOf(anything());

const required =
  <T>(make: () => z.ZodType<T>) =>
  (description: string): Property<T> => ({ schema: () => make().describe(description) });

const optional =
  <T>(make: () => z.ZodType<T>) =>
  (description: string): Property<T | undefined> => ({
    schema: () => make().optional().describe(description),
  });

const withDefault =
  <T>(make: () => z.ZodType<T>) =>
  (value: T, description: string): Property<T> => ({
    // `as`: none of the kinds has an output that may be undefined, which TypeScript cannot infer for `T`.
    schema: () =>
      make()
        .default(value as never)
        .describe(description) as z.ZodType<T>,
  });

/** Properties that must be given. */
export const need = {
  text: required(text),
  secret: (description: string): Property<string> => ({ ...need.text(description), isSecret: true }),
  secretMap: (description: string): Property<Record<string, unknown>> => ({
    ...need.map(description),
    isSecret: true,
  }),
  integer: required(() => integer()),
  decimal: required(decimal),
  flag: required(flag),
  file: required(storageUri),
  map: required(map),
  textMap: required(textMap),
  maps: required(maps),
  texts: required(texts),
  integers: required(integers),
  list: required(list),
  any: required(anything),
  json: required(textOrJson),
  choice: <const V extends Choices>(values: V, description: string): Property<V[number]> =>
    required(() => choice(values))(description),
};

/** Properties that may be left out. */
export const may = {
  text: optional(text),
  secret: (description: string): Property<string | undefined> => ({
    ...may.text(description),
    isSecret: true,
  }),
  secretMap: (description: string): Property<Record<string, unknown> | undefined> => ({
    ...may.map(description),
    isSecret: true,
  }),
  integer: optional(() => integer()),
  decimal: optional(decimal),
  flag: optional(flag),
  duration: optional(duration),
  file: optional(storageUri),
  map: optional(map),
  textMap: optional(textMap),
  maps: optional(maps),
  texts: optional(texts),
  integers: optional(integers),
  list: optional(list),
  any: optional(anything),
  json: optional(textOrJson),
  choice: <const V extends Choices>(values: V, description: string): Property<V[number] | undefined> =>
    optional(() => choice(values))(description),
};

/** Properties with a default. */
export const preset = {
  text: withDefault(text),
  integer: withDefault(() => integer()),
  flag: withDefault(flag),
  map: withDefault(map),
  texts: withDefault(texts),
  /** Written as ISO 8601, read as milliseconds. */
  duration: (value: string, description: string): Property<number> => ({
    schema: () => duration().prefault(value).describe(description),
  }),
  choice: <const V extends Choices>(values: V, value: V[number], description: string): Property<V[number]> =>
    withDefault(() => choice(values))(value, description),
  fetchType: (value: FetchType, rows: string): Property<FetchType> =>
    preset.choice(
      ['STORE', 'FETCH', 'FETCH_ONE', 'NONE'],
      value,
      `How to return the ${rows}: a file (\`STORE\`), all in the outputs (\`FETCH\`), the first (\`FETCH_ONE\`) or nothing (\`NONE\`).`,
    ),
};

/** The property `options`: timeouts, proxy, certificates and redirects. */
export const requestOptions = {
  options: optional(httpOptions)('How to send: timeouts, login, proxy, certificates, redirects.'),
};

/** Properties that tasks share which wait for a job of the service. */
export const waiting = (preset_: { wait?: boolean; every: string; atMost: string }) => ({
  wait: preset.flag(
    preset_.wait ?? true,
    'Wait for the end. When false, the task ends as soon as the job has started.',
  ),
  pollFrequency: preset.duration(preset_.every, 'The pause between two polls of the state of the job.'),
  maxDuration: preset.duration(preset_.atMost, 'The longest wait; the task fails afterwards.'),
});
