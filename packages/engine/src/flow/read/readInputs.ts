import type { Input, InputType, Output } from '@millrace/contract';
import { inputTypes } from '@millrace/contract';
import type { Fields } from './fields.ts';

const idPattern = /^[a-zA-Z0-9][.a-zA-Z0-9_-]*$/;
const common = [
  'id',
  'name',
  'type',
  'description',
  'displayName',
  'required',
  'defaults',
  'dependsOn',
  'prefill',
];

/** The properties of each input type besides the common ones. */
const own: Readonly<Record<InputType, readonly string[]>> = {
  STRING: ['validator'],
  SECRET: ['validator'],
  INT: ['min', 'max'],
  FLOAT: ['min', 'max'],
  BOOLEAN: [],
  BOOL: [],
  DATETIME: ['after', 'before'],
  DATE: ['after', 'before'],
  TIME: ['after', 'before'],
  DURATION: ['min', 'max'],
  FILE: ['extension', 'allowedFileExtensions'],
  JSON: [],
  YAML: [],
  URI: [],
  EMAIL: [],
  ARRAY: ['itemType'],
  ENUM: ['values'],
  SELECT: ['values', 'expression', 'allowCustomValue', 'isRadio', 'autoSelectFirst'],
  MULTISELECT: ['values', 'options', 'expression', 'itemType', 'allowCustomValue', 'autoSelectFirst'],
};

const knownOf = new Map<InputType, ReadonlySet<string>>(
  inputTypes.map((type) => [type, new Set([...common, ...own[type]])]),
);

/** The inputs of a flow or of a Pause. `name` is the deprecated name of `id`. */
export function readInputs(owner: Fields, name = 'inputs'): Input[] | undefined {
  return owner.each(name, readInput);
}

function readInput(fields: Fields): Input | undefined {
  if (fields.get('id') === undefined && fields.get('name') !== undefined) {
    fields.data.id = fields.data.name;
    delete fields.data.name;
    fields.findings.deprecation(fields.path, 'An input is named by "id"; "name" is its old spelling');
  }
  const id = fields.requiredText('id');
  if (id !== undefined && !idPattern.test(id)) {
    fields.wrong('id', 'an input id of letters and digits and ". _ -" that starts with a letter or digit');
  }
  if (fields.get('type') === undefined) fields.missing('type');
  const type = fields.oneOf('type', inputTypes);
  if (id === undefined || type === undefined) return undefined;
  fields.refuseUnknown(knownOf.get(type) ?? new Set());
  const required = fields.flag('required');
  const displayName = fields.text('displayName');
  const description = fields.text('description');
  const dependsOn = readDependsOn(fields);
  const { dependsOn: _written, ...rest } = fields.data;
  return {
    ...rest,
    id,
    type,
    ...(required !== undefined && { required }),
    ...(displayName !== undefined && { displayName }),
    ...(description !== undefined && { description }),
    ...(dependsOn && { dependsOn }),
  };
}

function readDependsOn(owner: Fields): Input['dependsOn'] {
  const fields = owner.child('dependsOn');
  if (!fields) return undefined;
  fields.refuseUnknown(new Set(['inputs', 'condition']));
  const inputs = fields.list('inputs')?.map(String);
  const condition = fields.text('condition');
  return { ...(inputs && { inputs }), ...(condition !== undefined && { condition }) };
}

const outputProperties = new Set([
  'id',
  'type',
  'value',
  'description',
  'displayName',
  'required',
  'itemType',
]);

export function readOutputs(owner: Fields): Output[] | undefined {
  return owner.each('outputs', readOutput);
}

function readOutput(fields: Fields): Output | undefined {
  fields.refuseUnknown(outputProperties);
  const id = fields.requiredText('id');
  if (id !== undefined && !idPattern.test(id)) {
    fields.wrong('id', 'an output id of letters and digits and ". _ -" that starts with a letter or digit');
  }
  if (fields.get('type') === undefined) fields.missing('type');
  const type = fields.oneOf('type', inputTypes);
  if (fields.get('value') === undefined) fields.missing('value');
  const displayName = fields.text('displayName');
  const description = fields.text('description');
  if (id === undefined || type === undefined) return undefined;
  return {
    ...fields.data,
    id,
    type,
    value: fields.get('value'),
    ...(displayName !== undefined && { displayName }),
    ...(description !== undefined && { description }),
  };
}
