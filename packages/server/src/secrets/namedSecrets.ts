import type { Flow } from '@millrace/contract';
import type { Secrets } from './environmentSecrets.ts';

/** A flow never changes once it is read, so its text is looked through once. */
const known = new WeakMap<Flow, readonly string[]>();

/**
 * The values of the secrets that a flow names, as in `secret('TOKEN')`. One task may hand a secret on in its outputs, so
 * every task of the flow must know what to cover.
 */
export function secretsIn(flow: Flow, secrets: Secrets): readonly string[] {
  if (secrets.names().length === 0) return [];
  const values = known.get(flow) ?? namesIn(flow).flatMap((name) => secrets.find(name) ?? []);
  known.set(flow, values);
  return values;
}

/** In JSON, quotes of an expression may be escaped with a backslash. */
function namesIn(flow: Flow): readonly string[] {
  const found = JSON.stringify(flow).matchAll(/\bsecret\(\s*(?:key\s*=\s*)?\\?["']([\w.-]+)\\?["']/g);
  return [...new Set([...found].map(([, name = '']) => name))];
}
