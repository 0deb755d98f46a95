import type { ExecutionRecord } from '@millrace/contract';
import { renderDeep } from '@millrace/expression';
import { typeOutputs } from '../inputs/typeOutputs.ts';
import { hostOf, isOutsideNeeded } from './evaluate.ts';
import type { Resolution } from './event.ts';
import type { Run } from './run.ts';
import { variablesOf } from './variables.ts';

type Values = Readonly<Record<string, unknown>>;

export type FlowOutcome = 'pending' | { readonly outputs?: Values } | { readonly error: string };

/** The declared outputs of the flow, rendered in the execution's context, with the host where needed. */
export function evaluateFlowOutputs(run: Run): FlowOutcome {
  const declared = run.flow.outputs;
  if (!declared || declared.length === 0) return {};
  const known = run.execution.memo?.outputs as Resolution | undefined;
  if (known && 'error' in known) return known;
  const templates = Object.fromEntries(declared.map((output) => [output.id, output.value]));
  try {
    const values = known ? known.value : renderDeep(templates, variablesOf(run), hostOf(run));
    if (values instanceof Promise) {
      values.catch(() => undefined);
      return askOutside(run, 'outputs', templates);
    }
    const typed = typeOutputs(declared, values as Values, run.environment.encrypt);
    return 'error' in typed ? typed : { outputs: typed.values };
  } catch (error) {
    if (isOutsideNeeded(error)) return askOutside(run, 'outputs', templates);
    return { error: `The outputs of the flow could not be computed: ${reasonOf(error)}` };
  }
}

/**
 * Renders the outputs that the calling task requested and stores them for `outputsForCaller`. Returns
 * `pending` while the host resolves them.
 */
export function evaluateCallerOutputs(run: Run): 'pending' | undefined {
  const { callerOutputs, toCaller } = run.execution.memo ?? {};
  if (callerOutputs === undefined || toCaller !== undefined) return undefined;
  const answer = (result: Resolution) =>
    run.updateExecution({ memo: { ...run.execution.memo, toCaller: result } });
  try {
    const value = renderDeep(callerOutputs, variablesOf(run), hostOf(run));
    if (value instanceof Promise) {
      value.catch(() => undefined);
      return askOutside(run, 'toCaller', callerOutputs);
    }
    answer({ value });
  } catch (error) {
    if (isOutsideNeeded(error)) return askOutside(run, 'toCaller', callerOutputs);
    answer({ error: reasonOf(error) });
  }
  return undefined;
}

/** The outputs of a child that the calling task receives. */
export function outputsForCaller(child: ExecutionRecord): { outputs?: Values; problem?: string } {
  if (child.outputs) return { outputs: child.outputs };
  const answer = child.memo?.toCaller as Resolution | undefined;
  if (!answer) return {};
  return 'error' in answer
    ? { problem: `The outputs of the execution ${child.id} could not be computed: ${answer.error}` }
    : { outputs: answer.value as Values };
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function askOutside(run: Run, key: 'outputs' | 'toCaller', templates: unknown): 'pending' {
  run.emit({ effect: 'resolve', key, expression: templates, mode: 'deep' });
  return 'pending';
}
