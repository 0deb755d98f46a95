import { inputTypes } from '@millrace/contract';
import { z } from 'zod';
import { anything, choice, deprecated, duration, fixed, flag, listOf, part, text } from './dynamic.ts';

const common = {
  description: text().optional().describe('Shown below the field. Markdown.'),
  displayName: text().optional().describe('Shown instead of the id.'),
  required: fixed(flag()).default(true).describe('An execution cannot start without a value.'),
  defaults: anything().optional().describe('The value when none is given.'),
  dependsOn: part({
    inputs: listOf(text()).optional().describe('The inputs that must be filled first.'),
    condition: text().optional().describe('The input only exists when this renders to true.'),
  })
    .optional()
    .describe('Other inputs this one depends on.'),
};

const validator = {
  validator: fixed(text()).optional().describe('A regular expression the whole value must match.'),
};
const between = {
  min: fixed(z.number()).optional().describe('The smallest value, included.'),
  max: fixed(z.number()).optional().describe('The largest value, included.'),
};
const dates = (example: string) => ({
  after: fixed(text()).optional().describe(`The earliest value, for example \`${example}\`.`),
  before: fixed(text()).optional().describe(`The latest value, for example \`${example}\`.`),
});
const options = {
  values: fixed(listOf(text())).optional().describe('The values to choose from.'),
  expression: text().optional().describe('Renders to the list of values to choose from.'),
  allowCustomValue: fixed(flag()).default(false).describe('A value outside the list is accepted.'),
};
const itemType = choice(inputTypes);

interface InputTypeInfo {
  readonly title: string;
  readonly description: string;
  readonly deprecated?: boolean;
  readonly input: z.ZodObject;
}

const define = (
  title: string,
  description: string,
  shape: z.ZodRawShape = {},
  old = false,
): InputTypeInfo => ({
  title,
  description,
  ...(old && { deprecated: true }),
  input: z.strictObject({ ...common, ...shape }),
});

/** The properties of each input type besides `id` and `type`. */
export const inputTypeInfos: Readonly<Record<(typeof inputTypes)[number], InputTypeInfo>> = {
  STRING: define('A text', 'Any text.', validator),
  INT: define('A whole number', 'A 32-bit integer.', between),
  FLOAT: define('A number', 'A number with a fraction.', between),
  BOOLEAN: define('True or false', 'A yes or no.'),
  BOOL: define('True or false', 'Another word for `BOOLEAN`.'),
  DATETIME: define('A date and time', 'An instant, with its offset.', dates('2026-01-31T08:00:00Z')),
  DATE: define('A date', 'A day without a time.', dates('2026-01-31')),
  TIME: define('A time of day', 'A time without a day.', dates('08:30:00')),
  DURATION: define('A duration', 'An ISO 8601 duration.', {
    min: fixed(duration()).optional().describe('The shortest value.'),
    max: fixed(duration()).optional().describe('The longest value.'),
  }),
  FILE: define('A file', 'An uploaded file; its value is the URI in internal storage.', {
    extension: deprecated(fixed(text()).optional(), 'the file keeps its own name.'),
    accept: fixed(listOf(text())).optional().describe('The file extensions the form offers.'),
  }),
  JSON: define('JSON', 'Any JSON value.'),
  YAML: define('YAML', 'Any YAML value.'),
  URI: define('An address', 'A URI with a scheme and a host.'),
  SECRET: define('A secret', 'A text that is stored encrypted and masked in logs.', validator),
  ARRAY: define('A list', 'A list of values of one type.', {
    itemType: fixed(itemType).describe('The type of the elements; not ARRAY.'),
  }),
  EMAIL: define('An e-mail address', 'A text that looks like an e-mail address.'),
  SELECT: define('One of several', 'One value out of a list.', {
    ...options,
    isRadio: fixed(flag()).default(false).describe('Show radio buttons instead of a drop-down.'),
  }),
  MULTISELECT: define('Several of several', 'Any number of values out of a list.', {
    ...options,
    itemType: fixed(itemType).default('STRING').describe('The type of the elements.'),
    options: deprecated(fixed(listOf(text())).optional(), 'use `values`.'),
  }),
  ENUM: define(
    'One of several',
    'One value out of a list.',
    { values: fixed(listOf(text())).describe('The values.') },
    true,
  ),
};
