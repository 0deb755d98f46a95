import type { Flow, TriggerDefinition } from '@millrace/contract';
import { conditionTypeOf } from '../../conditions/conditionType.ts';
import { parseDate } from '../../conditions/date.ts';
import { CronError, parseCron } from '../../schedule/cron.ts';
import { requireZone } from '../../schedule/nextDate.ts';
import { triggerTypeOf } from '../../schedule/triggerType.ts';
import { findZone } from '../../schedule/zone.ts';
import type { Findings } from '../findings.ts';
import { Fields, quote } from '../read/fields.ts';
import { hasExpression } from '../subflowTarget.ts';
import { writtenIndex } from '../written.ts';
import { checkPreconditions, checkTimeWindow } from './preconditions.ts';

/** [E140] The triggers that the engine evaluates itself can be evaluated. */
export function checkTriggers(flow: Flow, findings: Findings): void {
  flow.triggers?.forEach((trigger, index) => {
    const path = ['triggers', writtenIndex(trigger, index)];
    checkTrigger(trigger, new Fields(trigger, path, findings));
  });
}

function checkTrigger(trigger: TriggerDefinition, fields: Fields): void {
  switch (triggerTypeOf(trigger.type)) {
    case 'core.trigger.Schedule':
      checkCron(fields);
      checkZone(fields);
      fields.duration('lateMaximumDelay');
      fields.oneOf('recoverMissedSchedules', ['ALL', 'LAST', 'NONE']);
      break;
    case 'core.trigger.ScheduleOnDates':
      checkDates(fields);
      checkZone(fields);
      fields.oneOf('recoverMissedSchedules', ['ALL', 'LAST', 'NONE']);
      break;
    case 'core.trigger.Webhook':
      checkWebhook(fields);
      break;
    case 'core.trigger.Flow':
      checkFlowTrigger(fields);
      break;
    default:
      break;
  }
  checkMultipleConditions(fields);
}

function checkCron(fields: Fields): void {
  const cron = fields.requiredText('cron');
  const withSeconds = fields.flag('withSeconds') ?? false;
  if (cron === undefined) return;
  try {
    parseCron(cron, withSeconds);
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    fields.findings.error(fields.at('cron'), error.message);
  }
}

function checkDates(fields: Fields): void {
  const written = fields.get('dates');
  if (written === undefined) fields.missing('dates');
  if (typeof written === 'string' && hasExpression(written)) return;
  fields.list('dates')?.forEach((date, index) => {
    if (typeof date === 'string' && hasExpression(date)) return;
    if (parseDate(String(date), requireZone('UTC'))) return;
    fields.findings.error(
      [...fields.at('dates'), index],
      `${quote(date)} is not valid; expected a date and time such as 2025-01-31T10:00:00Z`,
    );
  });
}

function checkZone(fields: Fields): void {
  const zone = fields.text('timezone');
  if (zone !== undefined && !hasExpression(zone) && !findZone(zone)) {
    fields.wrong('timezone', 'a time zone id such as Europe/Paris');
  }
}

function checkWebhook(fields: Fields): void {
  const key = fields.requiredText('key');
  if (key !== undefined && key.length > 256) fields.wrong('key', 'at most 256 characters');
  if (key === '') fields.wrong('key', 'a key that is not empty');
  for (const condition of fields.items('conditions')) {
    if (conditionTypeOf(String(condition.data.type)) !== 'Multiple') continue;
    fields.findings.error(condition.path, 'a MultipleCondition cannot be used on a Webhook');
  }
}

/** [E141] A Flow trigger without any condition is allowed, but it fires on everything. */
function checkFlowTrigger(fields: Fields): void {
  const preconditions = fields.child('preconditions');
  if (preconditions) checkPreconditions(preconditions);
  const hasConditions = (fields.list('conditions')?.length ?? 0) > 0;
  if (!hasConditions && !preconditions && fields.get('when') === undefined) {
    fields.findings.warning(
      fields.path,
      `The flow trigger "${String(fields.data.id)}" has no condition: it fires after every execution of every flow`,
    );
  }
}

function checkMultipleConditions(fields: Fields): void {
  for (const condition of fields.items('conditions')) {
    if (conditionTypeOf(String(condition.data.type)) !== 'Multiple') continue;
    const window = condition.child('timeWindow');
    if (window) checkTimeWindow(window);
  }
}
