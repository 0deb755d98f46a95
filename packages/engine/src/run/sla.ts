import { isTerminal, type Sla } from '@millrace/contract';
import { isTruthy, render } from '@millrace/expression';
import { readDuration } from '../duration.ts';
import { changeLabels, mergeLabels } from './acting.ts';
import { hostOf } from './evaluate.ts';
import type { Wake } from './event.ts';
import { abandonWaiting, interruptAll } from './interrupt.ts';
import type { Run } from './run.ts';
import { variablesOf } from './variables.ts';

/** Limits count from here: when the execution starts, and again when it is restarted. */
export function startSlas(run: Run): void {
  const { slas: _, ...memo } = run.execution.memo ?? {};
  run.updateExecution({ memo: { ...memo, startedAt: run.now } });
  for (const wake of slaWakes(run)) run.emit({ effect: 'wake', wake });
}

/** The wake-ups for deadlines. An execution that has not started has none yet. */
export function slaWakes(run: Run): Wake[] {
  const { memo, state } = run.execution;
  if (isTerminal(state.current) || state.current === 'CREATED' || state.current === 'QUEUED') return [];
  const startedAt = Number(memo?.startedAt ?? state.histories[0]!.date);
  return (run.flow.sla ?? []).flatMap((sla): Wake[] => {
    const ms = sla.type === 'MAX_DURATION' ? readDuration(sla.duration) : undefined;
    return ms === undefined || isKnown(run, sla)
      ? []
      : [{ reason: 'sla', slaId: sla.id, at: startedAt + ms }];
  });
}

/** Ignores a deadline of an earlier start and a deadline that was already handled. */
export function onSlaDeadline(run: Run, { slaId, at }: Extract<Wake, { reason: 'sla' }>): boolean {
  const sla = run.flow.sla?.find((entry) => entry.id === slaId);
  const isDue = slaWakes(run).some((wake) => wake.at === at && wake.reason === 'sla' && wake.slaId === slaId);
  if (!sla || !isDue || run.state === 'KILLING') return false;
  violate(run, sla);
  return true;
}

/** Evaluates assertions after every change until the execution ends. True when an assertion ended it. */
export function checkAssertions(run: Run): boolean {
  for (const sla of run.flow.sla ?? []) {
    if (sla.type !== 'EXECUTION_ASSERTION' || isTerminal(run.state) || run.state === 'KILLING') continue;
    if (isKnown(run, sla) || holds(run, sla)) continue;
    violate(run, sla);
    if (sla.behavior !== 'NONE') return true;
  }
  return false;
}

function holds(run: Run, sla: Sla): boolean {
  try {
    const value = render(String(sla.assert), variablesOf(run), hostOf(run));
    return value instanceof Promise || isTruthy(value);
  } catch (error) {
    run.log(
      'ERROR',
      `The SLA "${sla.id}" could not be evaluated and is ignored: ${error instanceof Error ? error.message : String(error)}`,
    );
    markKnown(run, sla);
    return true;
  }
}

/** True when the SLA was already handled or could not be evaluated; each SLA is handled once. */
const isKnown = (run: Run, sla: Sla): boolean =>
  ((run.execution.memo?.slas ?? []) as readonly string[]).includes(sla.id);

function markKnown(run: Run, sla: Sla): void {
  const known = (run.execution.memo?.slas ?? []) as readonly string[];
  run.updateExecution({ memo: { ...run.execution.memo, slas: [...known, sla.id] } });
}

function violate(run: Run, sla: Sla): void {
  markKnown(run, sla);
  recordBreach(run, sla);
  run.note({
    type: 'slaViolated',
    slaId: sla.id,
    behavior: sla.behavior,
    rule: sla.type === 'MAX_DURATION' ? String(sla.duration) : String(sla.assert),
  });
  if (sla.labels) changeLabels(run, mergeLabels(run.execution.labels, sla.labels));
  if (sla.behavior === 'NONE') return;
  const state = sla.behavior === 'FAIL' ? 'FAILED' : 'CANCELLED';
  run.log('ERROR', `The SLA "${sla.id}" is violated: the execution is ${state}, as the flow asks.`);
  interruptAll(run);
  const last = [...run.nodes.values()].at(-1);
  if (last && !isTerminal(last.record.state.current)) run.move(last, state);
  if (
    run.state === 'QUEUED' ||
    run.state === 'PAUSED' ||
    run.state === 'BREAKPOINT' ||
    run.state === 'RESTARTED' ||
    run.state === 'RETRYING'
  )
    run.moveExecution('RUNNING');
  run.moveExecution(state);
  abandonWaiting(run);
  run.dirty.add(run.root);
}

/** Every violation with its date, also those before a restart: alerts are made from them. */
function recordBreach(run: Run, { id }: Sla): void {
  const breaches = (run.execution.memo?.breaches ?? []) as readonly unknown[];
  run.updateExecution({ memo: { ...run.execution.memo, breaches: [...breaches, { id, at: run.now }] } });
}
