import { describeAllTypes, documentType, flowSchema, listPlugins, mockOutputs } from '@millrace/plugin-kit';
import { ownNames } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import { createFullCatalogue } from './testing.ts';

const catalogue = createFullCatalogue();
const definitions = catalogue.definitions().map((definition) => [definition.type, definition] as const);
// `as`: the documents of the editor are maps of maps.
const schemas = (await flowSchema(catalogue, 'flow')).definitions as Record<string, Record<string, unknown>>;

const allTypes = describeAllTypes(catalogue);

describe('everything comes from the one definition of', () => {
  test.each(definitions)('%s', (type, definition) => {
    const names = ownNames(definition.input);
    const document = documentType(catalogue, type);
    const form = document?.schema.properties.properties as Record<string, Record<string, unknown>>;
    // The form and the documentation have exactly these properties, each with the hints for forms.
    expect(Object.keys(form).sort()).toEqual(names);
    for (const name of names) {
      expect(form[name]).toHaveProperty('$required');
      expect(document?.markdown).toContain(`### \`${name}\``);
    }
    // Completion offers them, and saving the flow rejects an unknown property.
    const place = schemas[type];
    if (place) expect(Object.keys(place.properties as object)).toEqual(expect.arrayContaining(names));
    const [issue] = (catalogue.find(type)?.check({ noSuchProperty: 1 }) ?? []).filter(
      ({ path }) => path === 'noSuchProperty',
    );
    expect(issue?.message).toContain('Unrecognized field "noSuchProperty"');
    // The same type under its long name and its aliases.
    for (const name of [`io.kestra.plugin.${type}`, ...(definition.aliases ?? [])]) {
      expect(catalogue.find(name)?.type).toBe(type);
    }
    expect(allTypes).toContain(`- \`${type}\`: ${definition.title}`);
  });

  test.each(
    definitions.flatMap(([type, definition]) =>
      'output' in definition ? [[type, definition.output] as const] : [],
    ),
  )('the mock of %s passes the schema of its outputs', (_, output) => {
    const made = mockOutputs({ output });
    expect(output.safeParse(made).error).toBeUndefined();
    expect(mockOutputs({ output })).toEqual(made);
  });
});

test('[S2-9.8] every kind of plugin that the product names has a type', () => {
  const [core] = listPlugins(catalogue, '1.0.0').filter(({ name }) => name === 'core');
  const kinds = [
    'tasks',
    'triggers',
    'conditions',
    'taskRunners',
    'charts',
    'dataFilters',
    'aliases',
    'logExporters',
  ] as const;
  for (const kind of kinds) expect(core?.[kind].length, kind).toBeGreaterThan(0);
});

test('[S2-7o.6] a place for many types is a list of names and an if/then each, never an anyOf over types', () => {
  for (const place of ['Task', 'Trigger', 'Condition', 'TaskRunner', 'LogExporter']) {
    const schema = schemas[place] as {
      anyOf?: unknown;
      oneOf?: unknown;
      allOf: { if: unknown; then: { $ref: string } }[];
    };
    expect(schema.anyOf ?? schema.oneOf).toBeUndefined();
    expect(
      schema.allOf.every((part) => part.if !== undefined && part.then.$ref.startsWith('#/definitions/')),
    ).toBe(true);
  }
});
