import { renderDeep } from '../expression/index.ts';
import { typeOutputs } from '../inputs/typeOutputs.ts';
import { hostOf, isOutsideNeeded } from './evaluate.ts';
import type { Resolution } from './event.ts';
import type { Run } from './run.ts';
import { variablesOf } from './variables.ts';

type Values = Readonly<Record<string, unknown>>;

export type FlowOutcome = 'pending' | { readonly outputs?: Values } | { readonly error: string };

/** The declared outputs of the flow, rendered in the execution's context. Asks the outside world where it must. */
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
      return askOutside(run, templates);
    }
    const typed = typeOutputs(declared, values as Values, run.environment.encrypt);
    return 'error' in typed ? typed : { outputs: typed.values };
  } catch (error) {
    if (isOutsideNeeded(error)) return askOutside(run, templates);
    return {
      error: `The outputs of the flow could not be computed: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

function askOutside(run: Run, templates: Values): 'pending' {
  run.emit({ effect: 'resolve', key: 'outputs', expression: templates, mode: 'deep' });
  return 'pending';
}
