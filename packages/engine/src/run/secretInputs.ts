import { AppError, type Label } from '@millrace/contract';
import { double } from '@millrace/expression';
import { getNested, setNested } from '../inputs/nesting.ts';
import { isSealed } from '../inputs/sealed.ts';
import type { Run } from './run.ts';

type Values = Record<string, unknown>;

const idsOf = (run: Run, type: 'SECRET' | 'FLOAT'): string[] =>
  (run.flow.inputs ?? []).filter((input) => input.type === type).map((input) => input.id);

/**
 * The inputs for expressions. SECRETs are stored encrypted and decrypted here; without a key they stay
 * encrypted. A FLOAT keeps its type, which the stored number does not have: three prints as `3.0`.
 */
export function plainInputs(run: Run): Values {
  const inputs: Values = { ...run.execution.inputs };
  const { decrypt } = run.environment;
  const secrets = decrypt ? idsOf(run, 'SECRET') : [];
  const floats = idsOf(run, 'FLOAT');
  if (secrets.length === 0 && floats.length === 0) return inputs;
  // Nested ids are written into the maps: those must not be the stored ones.
  const copy = JSON.parse(JSON.stringify(inputs)) as Values;
  for (const id of secrets) {
    const stored = getNested(copy, id);
    // Rows of earlier releases hold the encrypted text without its marker.
    const covered = isSealed(stored) ? stored.value : stored;
    if (decrypt && typeof covered === 'string') setNested(copy, id, open(id, covered, decrypt));
  }
  for (const id of floats) {
    const stored = getNested(copy, id);
    if (typeof stored === 'number') setNested(copy, id, double(stored));
  }
  return copy;
}

function open(id: string, covered: string, decrypt: (value: string) => string): string {
  try {
    return decrypt(covered);
  } catch (cause) {
    const message = `The SECRET input "${id}" cannot be opened: it was covered with another encryption key.`;
    throw new AppError('illegal-state', message, { cause });
  }
}

/** The plain texts of SECRET inputs, sealed outputs and the secrets that the flow names, which no log may show. */
export function secretTexts(run: Run): readonly string[] {
  const { secrets } = run.outputs;
  const known = [...inputTexts(run), ...(run.environment.secretsIn?.(run.flow) ?? [])];
  return secrets.size === 0 ? known : [...known, ...secrets];
}

/** Masks secrets in labels, because every user can read labels. */
export function coverLabels(run: Run, labels: readonly Label[]): readonly Label[] {
  const secrets = secretTexts(run);
  const { cover } = run.environment;
  if (secrets.length === 0 || !cover) return labels;
  return labels.map(({ key, value }) => ({ key: cover(key, secrets), value: cover(value, secrets) }));
}

/** Returns nothing when an input cannot be decrypted: then no log can show it either. */
function inputTexts(run: Run): readonly string[] {
  const ids = run.environment.decrypt ? idsOf(run, 'SECRET') : [];
  if (ids.length === 0) return [];
  try {
    const inputs = plainInputs(run);
    return ids.map((id) => getNested(inputs, id)).filter((text) => typeof text === 'string');
  } catch {
    return [];
  }
}
