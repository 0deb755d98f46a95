import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkProperties } from './checkProperties.ts';
import * as property from './dynamic.ts';

const schema = z.strictObject({
  message: property.text(),
  count: property.integer({ min: 1 }).default(1),
  wait: property.duration().optional(),
  level: property.choice(['INFO', 'WARN']).default('INFO'),
  options: property
    .part({ retries: property.integer().default(0), tags: property.mapOf(property.text()).optional() })
    .optional(),
  labels: property.labels(),
  strict: property.fixed(property.flag()).default(false),
  old: property.deprecated(property.text().optional(), 'use `message`.'),
});

const check = (properties: Record<string, unknown>) =>
  checkProperties(schema, { message: 'hi', labels: {}, ...properties }).map(
    ({ severity, path, message }) => `${severity} ${path}: ${message}`,
  );

describe('[E112] what is written as a literal', () => {
  test.each<[Record<string, unknown>, string]>([
    [{ message: undefined }, 'error message: must not be null'],
    [{ message: null }, 'error message: must not be null'],
    [{ message: { a: 1 } }, 'warning message: must be a text but received {"a":1}'],
    [{ count: 0 }, 'warning count: must be at least 1 but received 0'],
    [{ count: 1.5 }, 'warning count: must be a whole number but received 1.5'],
    [{ count: 'many' }, 'warning count: must be a number but received "many"'],
    [
      { wait: 'soon' },
      'warning wait: must be an ISO 8601 duration such as PT1M30S or P1D but received "soon"',
    ],
    [{ level: 'LOUD' }, 'warning level: must be one of "INFO" or "WARN" but received "LOUD"'],
    [{ options: { retries: [] } }, 'warning options.retries: must be a number but received []'],
    [{ options: { oops: 1 } }, 'error options.oops: Unrecognized field "oops"; known fields: retries tags'],
    [{ labels: undefined }, 'error labels: must not be null'],
    [{ labels: 3 }, 'warning labels: must be a map or a list but received 3'],
    [{ labels: [{ key: [], value: 'x' }] }, 'warning labels[0].key: must be a text but received []'],
    [{ strict: '{{ x }}' }, 'error strict: must be true or false but received "{{ x }}"'],
    [{ old: 'x' }, 'deprecation old: "old" is deprecated. Deprecated: use `message`.'],
  ])('%j gives "%s"', (properties, issue) => {
    expect(check(properties)).toEqual([issue]);
  });

  test('is an error where nothing is rendered', () => {
    const issues = checkProperties(
      schema,
      { message: 'hi', labels: {}, level: 'LOUD' },
      { isRendered: false },
    );
    expect(issues).toMatchObject([{ severity: 'error', path: 'level' }]);
  });

  test('an unknown property is named, with the known ones', () => {
    expect(check({ mesage: 'typo' })).toEqual([
      'error mesage: Unrecognized field "mesage"; known fields: message count wait level options labels strict old',
    ]);
  });
});

test.each<[Record<string, unknown>]>([
  [{ count: '{{ inputs.n }}' }],
  [{ count: '3' }],
  [{ count: '1_000' }],
  [{ strict: 'yes' }],
  [{ wait: '{{ inputs.wait }}' }],
  [{ level: '{{ inputs.level }}' }],
  [{ level: '{% if true %}INFO{% endif %}' }],
  [{ options: '{{ outputs.x }}' }],
  [{ options: { retries: '{{ inputs.n }}', tags: '{{ inputs.tags }}' } }],
  [{ labels: '{{ labels }}' }],
  [{ labels: [{ key: '{{ x }}', value: 1 }] }],
  [{ message: 12 }],
])('%j is accepted', (properties) => {
  expect(check(properties)).toEqual([]);
});
