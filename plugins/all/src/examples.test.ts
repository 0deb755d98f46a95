import { parseFlow } from '@millrace/engine';
import { documentType, isCredential } from '@millrace/plugin-kit';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createFullCatalogue } from './testing.ts';

const catalogue = createFullCatalogue();
const cases = catalogue
  .definitions()
  .flatMap((definition) => definition.examples.map((example) => ({ definition, ...example })));
const expressions = (type: string) => catalogue.find(type)?.shape;
/** Some examples show one task of a flow that a trigger starts. */
const isWarning = (code: string, severity: string, message: string) =>
  severity === 'warning' && /^tasks:/m.test(code) && !message.endsWith('the flow has no trigger');
const isDashboard = (type: string) => type.startsWith('core.dashboard.');

describe('every example is a flow that can be saved as it is, [E168] without a wrong expression', () => {
  test.each(cases.filter(({ definition }) => !isDashboard(definition.type) && definition.kind !== 'storage'))(
    '$definition.type: $title',
    ({ code, definition }) => {
      const { issues } = parseFlow(code, catalogue, { expressions });
      const found = issues
        .filter(({ severity, message }) => severity === 'error' || isWarning(code, severity, message))
        .map(({ path, message }) => `${path}: ${message}`);
      expect(found).toEqual([]);
      expect(code).toContain(`type: ${definition.type}`);
      if (!definition.deprecated)
        expect(issues.filter(({ severity }) => severity === 'deprecation')).toEqual([]);
    },
  );
});

describe('every example of a storage is a part of a configuration', () => {
  test.each(cases.filter(({ definition }) => definition.kind === 'storage'))(
    '$definition.type',
    ({ code, definition }) => {
      const { type, ...settings } = parse(code).storage;
      expect(definition.type.toLowerCase()).toContain(type);
      expect(catalogue.find(definition.type)?.check(settings)).toEqual([]);
    },
  );
});

describe('every example of a chart is a dashboard that can be saved as it is', () => {
  test.each(cases.filter(({ definition }) => isDashboard(definition.type)))(
    '$definition.type',
    ({ code, definition }) => {
      expect(code).toContain(`type: ${definition.type}`);
      for (const { id: _, type, ...chart } of parse(code).charts) {
        expect(catalogue.find(type)?.check(chart)).toEqual([]);
        if (!chart.data) continue;
        const { type: dataType, ...data } = chart.data;
        expect(catalogue.find(dataType)?.check(data)).toEqual([]);
      }
    },
  );
});

test.each(catalogue.list().map(({ type }) => type))('%s is described in full', (type) => {
  const definition = catalogue.find(type)?.definition;
  expect(definition?.examples.length).toBeGreaterThan(0);
  expect(definition?.title).toMatch(/^[A-Z].*[^.]$/);
  expect(definition?.description).toMatch(/[.:`*]$/);
  const described = documentType(catalogue, type);
  for (const [path, property] of allProperties(described?.schema.properties)) {
    expect(property, path).toHaveProperty('description');
    expect(property, path).toHaveProperty('$required');
  }
  expect(described?.markdown).toContain(`type: "${type}"`);
  if (definition?.kind === 'task' || definition?.kind === 'trigger')
    expect(described?.schema).toHaveProperty('outputs');
  for (const [name, output] of Object.entries(described?.schema.outputs?.properties ?? {}))
    expect(output, `output ${name}`).toHaveProperty('description');
});

test('every property that sounds like a credential is masked in logs, or is known to hold none', () => {
  const names = catalogue
    .list()
    .flatMap(({ type }) => [...allProperties(documentType(catalogue, type)?.schema.properties)])
    .filter(([, { type }]) => type === 'string')
    .map(([path]) => path.split('.').at(-1) ?? '');
  const unmasked = names.filter(
    (name) => /pass|secret|token|key$|credential|webhook/i.test(name) && !isCredential(name),
  );
  expect([...new Set(unmasked)].sort()).toEqual([
    'consumerKey',
    'datetime_key',
    'deduplicationKey',
    'idKey',
    'idempotencyKey',
    'issueIdOrKey',
    'key',
    'kmsKey',
    'labelKey',
    'nextToken',
    'offsetKey',
    'pageToken',
    'partitionKey',
    'projectKey',
    'publicKey',
    'routingKey',
    'rowKey',
    'signPublicKey',
    'stateKey',
    'stsCredentialSource',
    'titleMetadataKey',
    'tokenId',
    'tokenKey',
    'tokenURL',
    'tokenUrl',
    'webhooks',
  ]);
});

/** The properties of a schema, of its parts, and of the parts in lists and maps. */
function* allProperties(schema: unknown, path = ''): Generator<[string, Record<string, unknown>]> {
  if (typeof schema !== 'object' || schema === null) return;
  const { properties, items, additionalProperties } = schema as Record<string, unknown>;
  for (const [name, property] of Object.entries(properties ?? {})) {
    yield [`${path}${name}`, property];
    yield* allProperties(property, `${path}${name}.`);
  }
  yield* allProperties(items, `${path}[].`);
  yield* allProperties(additionalProperties, `${path}*.`);
}

test('an example is text that YAML reads', () => {
  for (const { code } of cases) expect(parse(code)).toBeTypeOf('object');
});
