import type { Flow } from '@millrace/contract';
import type { ScheduleContext } from '@millrace/engine';
import type { InputParts } from '../actions/readInputs.ts';
import { variablesOf } from './triggeredExecution.ts';
import { serverZone, serverZoneRules } from './zone.ts';

/** The values that the conditions and dates of a schedule can use. */
export const scheduleContext = (
  flow: Flow,
  parts: Pick<InputParts, 'environment' | 'host'>,
): ScheduleContext => ({
  variables: variablesOf(flow, parts),
  host: parts.host({ namespace: flow.namespace }),
  zone: serverZoneRules(),
  flow,
  serverZone,
});
