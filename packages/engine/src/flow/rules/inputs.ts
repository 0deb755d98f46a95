import type { Input } from '@millrace/contract';
import { inputTypes } from '@millrace/contract';
import { compilePattern } from '../../inputs/pattern.ts';
import type { Findings } from '../findings.ts';
import type { Path } from '../path.ts';
import { Fields } from '../read/fields.ts';
import { writtenIndex } from '../written.ts';

/** [E122] [E123] Inputs depend on each other without cycles, and each one matches its type. */
export function checkInputs(inputs: readonly Input[], base: Path, findings: Findings): void {
  const byId = new Map(inputs.map((input) => [input.id, input]));
  inputs.forEach((input, index) => {
    const path = [...base, writtenIndex(input, index)];
    checkDependencies(input, byId, path, findings);
    checkInput(new Fields({ ...input }, path, findings), input);
  });
}

function checkDependencies(
  input: Input,
  byId: ReadonlyMap<string, Input>,
  path: Path,
  findings: Findings,
): void {
  for (const [index, id] of (input.dependsOn?.inputs ?? []).entries()) {
    const place = [...path, 'dependsOn', 'inputs', index];
    if (id === input.id) findings.flowError(place, `Input "${input.id}" cannot depend on itself`);
    else if (!byId.has(id)) {
      findings.flowError(place, `Input "${input.id}" depends on the unknown input "${id}"`);
    } else if (reaches(id, input.id, byId)) {
      findings.flowError(place, `Input "${input.id}" and input "${id}" depend on each other in a circle`);
    }
  }
}

function reaches(from: string, to: string, byId: ReadonlyMap<string, Input>): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === to) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...(byId.get(id)?.dependsOn?.inputs ?? []));
  }
  return false;
}

const scalarTypes = [
  'STRING',
  'INT',
  'FLOAT',
  'BOOLEAN',
  'BOOL',
  'DATETIME',
  'DATE',
  'TIME',
  'DURATION',
  'URI',
  'EMAIL',
];

function checkFileDefault(fields: Fields): void {
  const written = fields.get('defaults');
  if (written === undefined) return;
  if (typeof written === 'string' && /^(nsfile|kestra|millrace):\/\/|\{\{/.test(written)) return;
  fields.findings.error(
    fields.at('defaults'),
    'the default of a FILE input must be the address of a file, such as nsfile:///data.csv',
  );
}

function checkInput(fields: Fields, input: Input): void {
  switch (input.type) {
    case 'STRING':
    case 'SECRET':
      checkValidator(fields);
      break;
    case 'FILE':
      checkFileDefault(fields);
      break;
    case 'ARRAY':
      if (fields.get('itemType') === undefined) fields.missing('itemType');
      else if (fields.get('itemType') === 'ARRAY') fields.wrong('itemType', 'any type but ARRAY');
      else fields.oneOf('itemType', inputTypes);
      break;
    case 'ENUM':
      if (!fields.list('values')?.length) fields.missing('values');
      break;
    case 'SELECT':
      requireOne(fields, ['values', 'expression']);
      fields.list('values');
      break;
    case 'MULTISELECT':
      requireOne(fields, ['values', 'options', 'expression']);
      fields.list('values');
      if (fields.get('options') !== undefined) {
        fields.findings.deprecation(fields.at('options'), 'options is the old name of values');
      }
      fields.oneOf('itemType', scalarTypes);
      break;
    default:
      break;
  }
}

function checkValidator(fields: Fields): void {
  const validator = fields.text('validator');
  if (validator === undefined) return;
  const pattern = compilePattern(validator);
  if ('error' in pattern) fields.wrong('validator', `a regular expression (${pattern.error})`);
}

/** Exactly one of several ways to say the same thing. */
function requireOne(fields: Fields, names: readonly string[]): void {
  const given = names.filter((name) => fields.get(name) !== undefined);
  if (given.length === 1) return;
  const reason = given.length === 0 ? 'is missing' : `cannot stand beside ${given.slice(1).join(' and ')}`;
  fields.findings.error(
    fields.at(given[0] ?? 'values'),
    `${reason}; expected exactly one of ${names.join(' | ')}`,
  );
}
