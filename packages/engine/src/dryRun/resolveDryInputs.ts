import type { Flow } from '@millrace/contract';
import type { Variables } from '@millrace/expression';
import { resolveInputs } from '../inputs/resolveInputs.ts';
import { dryFiles, type Outside } from './dryHost.ts';
import { generateInput } from './generate.ts';
import type { DryRunOptions, Values } from './types.ts';

export interface DryInputs {
  readonly values: Values;
  readonly errors: readonly string[];
}

/** Resolves the inputs as a start would. Required inputs without a value are generated when the caller wants that. */
export async function resolveDryInputs(
  flow: Flow,
  options: DryRunOptions,
  outside: Outside,
): Promise<DryInputs> {
  const inputs = flow.inputs ?? [];
  const variables: Variables = {
    flow: { id: flow.id, namespace: flow.namespace, revision: flow.revision },
    ...(flow.variables ? { vars: flow.variables } : {}),
    envs: {},
    globals: {},
  };
  const context = { variables, host: outside.host, encrypt: (text: string) => text };
  const supplied = withFiles(flow, options.inputs ?? {}, outside);
  const first = await resolveInputs(inputs, supplied, context);
  if (!options.generatesInputs || first.errors.length === 0) return first;
  const generated: Record<string, unknown> = { ...supplied };
  for (const { input, errors } of first.inputs) {
    const isMissing = errors.length > 0 && (supplied[input.id] ?? undefined) === undefined;
    if (isMissing) generated[input.id] = outside.assume('input', input.id, generateInput(input));
  }
  return await resolveInputs(inputs, generated, context);
}

/** A FILE input names one of the given files; its value is the address of that file. */
function withFiles(flow: Flow, supplied: Values, outside: Outside): Values {
  const values: Record<string, unknown> = { ...supplied };
  for (const { id, type } of flow.inputs ?? []) {
    if (type !== 'FILE') continue;
    const name = typeof values[id] === 'string' ? values[id] : id;
    const content = outside.files.get(name);
    if (content === undefined) continue;
    const uri = `${dryFiles}inputs/${id}`;
    outside.files.set(uri, content);
    values[id] = uri;
  }
  return values;
}
