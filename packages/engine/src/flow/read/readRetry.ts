import type { Flow } from '@millrace/contract';
import type { Fields } from './fields.ts';

const known = new Set([
  'type',
  'interval',
  'minInterval',
  'maxInterval',
  'delayFactor',
  'maxAttempt',
  'maxAttempts',
  'maxDuration',
  'warningOnRetry',
  'behavior',
]);

/** Checks a retry of a flow or a task: its kind, its durations and that they fit into each other. */
export function readRetry(owner: Fields): Flow['retry'] {
  const fields = owner.child('retry');
  if (!fields) return undefined;
  fields.refuseUnknown(known);
  const type = fields.get('type');
  if (type === undefined) return fields.missing('type');
  if (type !== 'constant' && type !== 'exponential' && type !== 'random') {
    return fields.wrong('type', 'one of constant | exponential | random');
  }
  fields.integer('maxAttempt', 1);
  fields.integer('maxAttempts', 1);
  fields.flag('warningOnRetry');
  fields.oneOf('behavior', ['RETRY_FAILED_TASK', 'CREATE_NEW_EXECUTION']);
  checkDurations(fields, type);
  return { ...fields.data, type };
}

/** Each pair must rise strictly where both durations are given. */
function checkDurations(fields: Fields, type: 'constant' | 'exponential' | 'random'): void {
  const required = {
    constant: ['interval'],
    exponential: ['interval', 'maxInterval'],
    random: ['minInterval', 'maxInterval'],
  }[type];
  for (const name of required) if (fields.get(name) === undefined) fields.missing(name);
  const order =
    type === 'random'
      ? ['minInterval', 'maxInterval', 'maxDuration']
      : ['interval', 'maxInterval', 'maxDuration'];
  const given = order
    .filter((name) => name === 'maxDuration' || required.includes(name))
    .map((name) => ({ name, ms: fields.duration(name) }));
  for (const [index, { name, ms }] of given.entries()) {
    const next = given.slice(index + 1).find((other) => other.ms !== undefined);
    if (ms === undefined || next?.ms === undefined || ms < next.ms) continue;
    fields.findings.error(fields.at(name), `${name} must be less than ${next.name}`);
  }
}
