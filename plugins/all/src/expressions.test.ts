import { parseFlow } from '@millrace/engine';
import { type Definition, documentType, readInput, renderProperties } from '@millrace/plugin-kit';
import { aTaskContext } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { createFullCatalogue } from './testing.ts';

type Data = Record<string, unknown>;

const catalogue = createFullCatalogue();
const expression = '{{ inputs.x }}';
/** Charts and storages are read as written. */
const kinds = new Set(['task', 'trigger', 'condition', 'taskRunner', 'logExporter', 'additionalPlugin']);
const definitions = catalogue.definitions().filter(({ kind }) => kinds.has(kind));

/** Read before anything can be rendered, or the structure of the flow. Adding to this list is a decision: see E112. */
const structural = new Set(
  'tasks errors finally then else cases defaults onResume conditions taskRunner docker dockerOptions logExporters outputs timeWindow cron withSeconds lateMaximumDelay recoverMissedSchedules backfill scheduleConditions timezone interval states preconditions responseContentType'.split(
    ' ',
  ),
);

/** Made once per type: writing a schema takes longer than all checks of the type. */
const documents = new Map(
  definitions.map(({ type }) => [type, documentType(catalogue, type)?.schema] as const),
);

function propertiesOf({ type }: Definition): { name: string; isDynamic: boolean }[] {
  const document = documents.get(type)?.properties as { properties?: Data } | undefined;
  return Object.entries(document?.properties ?? {}).map(([name, schema]) => ({
    name,
    isDynamic: (schema as Data).$dynamic !== false,
  }));
}

const own = (definition: Definition) =>
  propertiesOf(definition).filter(({ name }) => Object.hasOwn(definition.input.shape, name));
/** The names of the properties that accept expressions, by type. */
const dynamic = new Map(
  definitions.map((definition) => [
    definition.type,
    own(definition)
      .filter(({ name, isDynamic }) => isDynamic && !structural.has(name))
      .map(({ name }) => name),
  ]),
);
const dynamicOf = ({ type }: Definition): readonly string[] => dynamic.get(type) ?? [];

test('only structural properties are static', () => {
  const others = definitions.flatMap((definition) =>
    own(definition)
      .filter(({ name, isDynamic }) => !isDynamic && !structural.has(name))
      .map(({ name }) => `${definition.type}.${name}`),
  );
  expect(others).toEqual([]);
  expect([...dynamic.values()].flat().length).toBeGreaterThan(800);
});

describe('[E112] an expression is accepted for every property that is not structural', () => {
  test.each(definitions)('$type', (definition) => {
    const info = catalogue.find(definition.type);
    const wrong = dynamicOf(definition)
      .flatMap((name) => info?.check({ [name]: expression }).filter(({ path }) => isAt(path, name)) ?? [])
      .filter(({ severity }) => severity === 'error' || severity === 'warning');
    expect(wrong).toEqual([]);
  });

  test.each(definitions.filter(({ kind }) => kind === 'task'))('$type in its example', (definition) => {
    for (const { code } of definition.examples) {
      const flow: Data = parse(code);
      const task = findTask(flow, definition.type);
      if (!task) continue;
      for (const name of dynamicOf(definition)) if (Object.hasOwn(task, name)) task[name] = expression;
      const { issues } = parseFlow(stringify(flow), catalogue);
      expect(issues.filter(({ severity }) => severity === 'error')).toEqual([]);
    }
  });
});

/** Texts that expressions render to; each property accepts at least one. */
const rendered = [
  'word',
  '5',
  '404',
  '.java',
  'true',
  'PT1S',
  '2025-01-01T00:00:00Z',
  '{}',
  '{"a":"b"}',
  '[]',
  '["a"]',
  '["2025-01-01T00:00:00Z"]',
  '{"patterns":["a"]}',
  '{"hosts":["a"]}',
  '{"uri":"a"}',
  '{"url":"a","token":"b"}',
  '{"keyspace":"a","clientId":"b","clientSecret":"c"}',
  '{"type":"a"}',
  '[["a"]]',
  '[{"key":"a","value":"b"}]',
  '[{"type":"counter","name":"n","value":1}]',
  '{"bucket":"a","key":"b"}',
  '{"container":"a","name":"b"}',
  '{"fileSystem":"a","directoryPath":"b"}',
  '{"paths":["/a"],"kind":"HASH","version":"V2"}',
  '{"id":"a"}',
  '[{"name":"a","jar":"b","actionOnFailure":"CONTINUE"}]',
  '[{"metricName":"a"}]',
  '[{"namespace":"n","flowId":"f"}]',
  '{"from":"a"}',
  '[{"content":"a"}]',
  '1',
  'All',
  '{"type":"a"}',
  '[{"title":"a"},{"title":"b"}]',
  '{"workerPoolSpecs":[{"containerSpec":{"imageUri":"a"},"machineSpec":{"machineType":"b"}}]}',
  '{"type":"a"}',
  '[{"type":"a"}]',
  '[{"type":"USER"}]',
  '[{"type":"USER","content":"a"}]',
  '{"maxSegmentSizeInChars":9,"maxOverlapSizeInChars":1}',
  '[{"name":"a","description":"b"}]',
  '{"key":"a","namespace":"b"}',
  'Deployment',
  'Latest',
  'Shared',
  '{"destinationName":"a"}',
  '{"username":"a"}',
  '{"containerName":"a"}',
  'append',
  'gzip',
  '2097152',
  '{"jobType":"FLINK","jobName":"a"}',
  '[{"name":"a","value":"b"}]',
  '[{"metricName":"a","value":1}]',
  '[{"groupName":"a","nodeNum":1,"nodeSize":"b"}]',
];

const isAt = (path: string, name: string) =>
  path === name || (/^[.[]/.test(path.slice(name.length)) && path.startsWith(name));

function findTask(value: unknown, type: string): Data | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if ('type' in value && value.type === type) return value as Data;
  for (const inner of Object.values(value)) {
    const found = findTask(inner, type);
    if (found) return found;
  }
  return undefined;
}

describe('[E112] a rendered value is read like a literal, and a wrong one is named', () => {
  /** Types of a family share the schemas of their connection, which are tested once. */
  const tested = new Set<unknown>();
  const enumsOf = (schema: unknown) => JSON.stringify(schema ?? {}).match(/"[A-Z_][A-Z0-9_]*"/g) ?? [];
  // All types refer to the same parts of flows.
  const commonEnums = enumsOf([...documents.values()][0]?.definitions);
  test.each(definitions.filter(({ kind }) => kind !== 'condition'))('$type', async (definition) => {
    const enums = [...new Set([...enumsOf(documents.get(definition.type)?.properties), ...commonEnums])];
    const candidates = [
      ...rendered,
      ...enums.map((text) => text.slice(1, -1)),
      ...enums.map((text) => `[${text}]`),
    ];
    for (const name of dynamicOf(definition)) {
      const property = definition.input.shape[name] as z.ZodType;
      const raw = 'raw' in definition && definition.raw?.includes(name);
      if (!raw && tested.has(property)) continue;
      tested.add(property);
      const fitting = candidates.find((text) => property.safeParse(text).success);
      expect(fitting, name).toBeDefined();
      const read = async (x: unknown) => {
        const context = aTaskContext({ variables: { inputs: { x } } });
        const values = raw
          ? { [name]: x }
          : await renderProperties(definition as never, { [name]: expression }, context);
        return readInput(definition.type, z.strictObject({ [name]: property }), values);
      };
      expect(await read(fitting), name).toEqual({ [name]: property.parse(fitting) });
      const wrong = ['@@@', { '@': { '@': [] } }].find(
        (value) => !property.safeParse(typeof value === 'string' ? value : JSON.stringify(value)).success,
      );
      if (wrong !== undefined) await expect(read(wrong), name).rejects.toThrow(`"${name}`);
    }
  });
});
