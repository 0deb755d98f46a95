import type { Input } from '@millrace/contract';
import { z } from 'zod';
import { currentTenant } from '../../../api/tenant.ts';
import { readStored, writeStored } from '../../../storage/storage.ts';
import type { FlowKey } from '../../flows/index.ts';
import type { InputValues } from '../inputs/inputValues.ts';

const Value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
const Values = z.record(z.string(), Value);
const Kept = z.object({
  /** What the last start from this browser used. */
  last: Values.optional(),
  /** Named by the user, newest first. */
  sets: z.array(z.object({ label: z.string().min(1), values: Values })),
});

type KeptInputs = z.infer<typeof Kept>;
export type KeptValues = z.infer<typeof Values>;

const mostSets = 50;
const keyOf = ({ namespace, id }: FlowKey) => `inputs:${currentTenant() ?? ''}/${namespace}/${id}` as const;

export function readInputSets(flow: FlowKey): KeptInputs {
  try {
    return Kept.parse(JSON.parse(readStored(keyOf(flow)) ?? '{"sets":[]}'));
  } catch {
    // A value that another program stored must not keep the form from opening.
    return { sets: [] };
  }
}

const write = (flow: FlowKey, kept: KeptInputs) => writeStored(keyOf(flow), JSON.stringify(kept));

export function keepLastInputs(flow: FlowKey, values: KeptValues): void {
  if (Object.keys(values).length > 0) write(flow, { ...readInputSets(flow), last: values });
}

/** A set with the same label is replaced. */
export function saveInputSet(flow: FlowKey, label: string, values: KeptValues): void {
  const kept = readInputSets(flow);
  const others = kept.sets.filter((set) => set.label !== label);
  write(flow, { ...kept, sets: [{ label, values }, ...others].slice(0, mostSets) });
}

export function deleteInputSet(flow: FlowKey, label: string): void {
  const kept = readInputSets(flow);
  write(flow, { ...kept, sets: kept.sets.filter((set) => set.label !== label) });
}

/** The values that a browser may keep and a link may carry: no secrets, and no files. */
export function keptValues(inputs: readonly Input[], values: InputValues): KeptValues {
  return Object.fromEntries(
    inputs.flatMap(({ id, type }) => {
      const value = values[id];
      return type === 'SECRET' || value === undefined || value === '' || value instanceof File
        ? []
        : [[id, value] as const];
    }),
  );
}

/** Values for the form: those given for inputs that the flow has; the others stay as they are. */
export function applyValues(inputs: readonly Input[], values: InputValues, given: KeptValues): InputValues {
  const known = inputs.filter(
    ({ id, type }) => Object.hasOwn(given, id) && type !== 'SECRET' && type !== 'FILE',
  );
  return { ...values, ...Object.fromEntries(known.map(({ id }) => [id, given[id]])) };
}

/** The values that a link carries; undefined when it carries none that can be read. */
export function parseLinkedValues(text: string | undefined): KeptValues | undefined {
  if (text === undefined) return undefined;
  try {
    return Values.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
