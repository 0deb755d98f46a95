import { type Concurrency, FlowCheck, type PluginDefault, type Sla } from '@millrace/contract';
import type { Fields } from './fields.ts';
import { readLabels } from './readLabels.ts';

export function readConcurrency(owner: Fields): Concurrency | undefined {
  const fields = owner.child('concurrency');
  if (!fields) return undefined;
  fields.refuseUnknown(new Set(['limit', 'behavior']));
  if (fields.get('limit') === undefined) fields.missing('limit');
  const limit = fields.integer('limit', 1);
  const behavior = fields.oneOf('behavior', ['QUEUE', 'CANCEL', 'FAIL']) ?? 'QUEUE';
  return limit === undefined ? undefined : { limit, behavior };
}

export function readPluginDefaults(owner: Fields): PluginDefault[] | undefined {
  const name = owner.get('pluginDefaults') === undefined ? 'taskDefaults' : 'pluginDefaults';
  if (owner.get(name) === undefined) return undefined;
  if (owner.get('taskDefaults') !== undefined) {
    owner.findings.deprecation(owner.at('taskDefaults'), 'taskDefaults is the old name of pluginDefaults');
  }
  return owner.items(name).flatMap((fields) => {
    fields.refuseUnknown(new Set(['type', 'forced', 'values']));
    const type = fields.requiredText('type');
    const forced = fields.flag('forced') ?? false;
    const values = fields.map('values');
    if (fields.get('values') === undefined) fields.missing('values');
    return type !== undefined && values ? [{ type, forced, values }] : [];
  });
}

const slaProperties = new Set(['id', 'type', 'behavior', 'labels', 'duration', 'assert']);

export function readSla(owner: Fields): Sla[] | undefined {
  if (owner.get('sla') === undefined) return undefined;
  return owner.items('sla').flatMap((fields) => {
    fields.refuseUnknown(slaProperties);
    const id = fields.requiredText('id');
    if (id?.trim() === '') fields.wrong('id', 'an id that is not blank');
    for (const name of ['type', 'behavior']) if (fields.get(name) === undefined) fields.missing(name);
    const type = fields.oneOf('type', ['MAX_DURATION', 'EXECUTION_ASSERTION']);
    const behavior = fields.oneOf('behavior', ['FAIL', 'CANCEL', 'NONE']);
    if (type === 'MAX_DURATION') {
      if (fields.get('duration') === undefined) fields.missing('duration');
      fields.duration('duration');
    }
    if (type === 'EXECUTION_ASSERTION') fields.requiredText('assert');
    const labels = readLabels(fields);
    if (id === undefined || !type || !behavior) return [];
    const { labels: _written, ...rest } = fields.data;
    return [{ ...rest, id, type, behavior, ...(labels && { labels }) }];
  });
}

const { style, behavior } = FlowCheck.shape;

export function readChecks(owner: Fields): FlowCheck[] | undefined {
  if (owner.get('checks') === undefined) return undefined;
  return owner.items('checks').flatMap((fields) => {
    fields.refuseUnknown(new Set(Object.keys(FlowCheck.shape)));
    const condition = fields.requiredText('condition');
    const message = fields.requiredText('message');
    if (condition === undefined || message === undefined) return [];
    return [
      {
        condition,
        message,
        style: fields.oneOf('style', style.options) ?? 'INFO',
        behavior: fields.oneOf('behavior', behavior.options) ?? 'BLOCK_EXECUTION',
      },
    ];
  });
}
