import { isTruthy } from '@millrace/expression';
import { z } from 'zod';
import { chartData, chartWords } from '../chartProperties.ts';
import { dataProperties } from '../dataProperties.ts';
import {
  defineChart,
  defineCondition,
  defineDataFilter,
  defineLogExporter,
  defineRunner,
  defineStorage,
  defineTask,
  defineTrigger,
} from '../define.ts';
import type { DataFilterDefinition, Definition } from '../definition.ts';
import * as properties from '../dynamic.ts';
import { messageOf, TaskFailed, warning } from '../failure.ts';
import { readRows, toRow } from '../files/rows.ts';
import { toJsonSchema } from '../jsonSchema.ts';
import { allOrNone, oneOf } from '../requirement.ts';

/**
 * The API that a user's plugin gets instead of imports: it can be anywhere on disk and must share this Zod.
 */
export const pluginKit = {
  z,
  ...properties,
  defineTask: guarded(defineTask),
  defineTrigger: guarded(defineTrigger),
  defineRunner: guarded(defineRunner),
  defineLogExporter: guarded(defineLogExporter),
  defineCondition: guarded(defineCondition, { onSchedule: false }),
  defineChart: guarded(defineChart, {
    input: z.object({ chartOptions: z.strictObject(chartWords).optional(), data: chartData() }),
  }),
  defineDataFilter: guarded(defineOwnData),
  defineStorage: guarded(defineStorage),
  chartWords,
  TaskFailed,
  warning,
  isTruthy,
  allOrNone,
  oneOf,
  readRows,
  toRow,
};
export type PluginKit = typeof pluginKit;

const typeName = /^[a-z][a-zA-Z0-9_-]*(\.[a-zA-Z0-9_-]+)+$/;
const functionsOf: Readonly<Record<string, readonly string[]>> = {
  task: ['run'],
  taskRunner: ['run'],
  logExporter: ['export'],
  condition: ['test'],
  chart: ['drawAs'],
  dataFilter: ['rows'],
  storage: ['open'],
  polling: ['poll'],
  realtime: ['listen'],
};

/** Wraps `define…` for code without type checks: fills in optional properties and reports missing ones. */
function guarded<A, D extends Definition>(
  define: (options: A) => D,
  defaults: Readonly<Record<string, unknown>> = {},
): (options: unknown) => D {
  return (given) => {
    if (!isMap(given)) throw new Error('define… must be given a map.');
    const { type } = given;
    if (typeof type !== 'string' || !typeName.test(type)) {
      throw new Error(`"${String(type)}" is no name of a type; expected something like "acme.files.Copy".`);
    }
    const options = { ...withDefaults(given), ...defaults, ...given };
    const missing = missingWords(options);
    if (missing !== undefined) throw new Error(`The type "${type}" ${missing}.`);
    // `as`: the properties of `define` that are not checked above are checked on its result.
    const definition = define(options as A);
    checkDefinition(definition);
    return definition;
  };
}

/** Adds columns, filters and order, which are the same for all data, so that plugins do not declare them. */
function defineOwnData(options: Omit<DataFilterDefinition, 'kind'>): DataFilterDefinition {
  const { fields, dates = [] } = options;
  const [first, ...others] = Array.isArray(fields) ? fields.map(String) : [];
  if (first === undefined) throw new Error(`The type "${options.type}" has no list "fields".`);
  const unknown = [...dates].find((date) => !fields.includes(date));
  if (unknown !== undefined)
    throw new Error(`The date "${unknown}" of the type "${options.type}" is none of its fields.`);
  return defineDataFilter({ ...options, input: options.input.extend(dataProperties([first, ...others])) });
}

function withDefaults(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    description: given.title,
    examples: [],
    output: z.object({}),
    input: z.object({}),
    sideEffects: true,
    ...given,
  };
}

function missingWords({ title, description, examples, input, output }: Record<string, unknown>) {
  if (typeof title !== 'string' || title.trim() === '') return 'has no title';
  if (typeof description !== 'string') return 'has a description that is no text';
  if (!Array.isArray(examples) || !examples.every(isExample)) return 'has examples without a title and code';
  if (!(input instanceof z.ZodObject)) return 'has an input that is no z.object(…)';
  if (!(output instanceof z.ZodObject)) return 'has an output that is no z.object(…)';
  return undefined;
}

const isExample = (value: unknown): boolean =>
  isMap(value) && typeof value.title === 'string' && typeof value.code === 'string';

function checkDefinition(definition: Definition): void {
  const { kind, type } = definition;
  const role = kind === 'trigger' ? definition.role : kind;
  const names = functionsOf[role];
  if (!names) {
    throw new Error(`The trigger "${type}" has the role "${role}"; expected "polling" or "realtime".`);
  }
  for (const name of names) {
    const value: unknown = Object.entries(definition).find(([key]) => key === name)?.[1];
    if (typeof value !== 'function') throw new Error(`The type "${type}" has no function "${name}".`);
  }
  const schemas = 'output' in definition ? [definition.input, definition.output] : [definition.input];
  for (const schema of schemas) {
    try {
      toJsonSchema(schema);
    } catch (error) {
      throw new Error(`The schema of "${type}" cannot be described: ${messageOf(error)}`);
    }
  }
}

export const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
