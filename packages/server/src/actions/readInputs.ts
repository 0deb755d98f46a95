import { AppError, type Flow } from '@millrace/contract';
import {
  type FailedCheck,
  failedChecks,
  type InputResolution,
  type RunEnvironment,
  resolveInputs,
} from '@millrace/engine';
import type { CreateHost } from '../expressionHost.ts';
import type { Encryption } from '../secrets/encryption.ts';
import { matchBacktracking } from './matchBacktracking.ts';

export type InputParts = {
  readonly host: CreateHost;
  readonly environment: RunEnvironment;
  readonly encryption: Encryption | undefined;
};
type Values = Readonly<Record<string, unknown>>;

/** The inputs of a new execution, or the error that names the first bad one. */
export async function readInputs(
  flow: Flow,
  given: Values,
  executionId: string,
  parts: InputParts,
  subflowDepth = 0,
): Promise<Values> {
  if (!flow.inputs || flow.inputs.length === 0) return {};
  const { errors, values } = await checkInputs(flow, given, executionId, parts, subflowDepth);
  const [first] = errors;
  if (first === undefined) return values;
  const colon = first.indexOf(': ');
  const problem = { path: first.slice(0, colon), message: first.slice(colon + 2) };
  throw new AppError('invalid-entity', first, { errors: [problem] });
}

/** Every input with its value and its errors. */
export function checkInputs(
  flow: Flow,
  given: Values,
  executionId: string,
  parts: InputParts,
  subflowDepth = 0,
): Promise<InputResolution> {
  const { encryption } = parts;
  return resolveInputs(flow.inputs ?? [], given, {
    ...renderContext(flow, executionId, parts, subflowDepth),
    matchBacktracking,
    ...(encryption ? { encrypt: (text: string) => encryption.encrypt(text) } : {}),
  });
}

/** The checks of the flow that an execution with these inputs would not pass. */
export function findFailedChecks(
  flow: Flow,
  inputs: Values,
  executionId: string,
  parts: InputParts,
  subflowDepth = 0,
): Promise<FailedCheck[]> {
  const { variables, host } = renderContext(flow, executionId, parts, subflowDepth);
  return failedChecks(flow, { ...variables, inputs }, host);
}

/** What expressions read before there is an execution. */
function renderContext(
  flow: Flow,
  executionId: string,
  { host, environment }: InputParts,
  subflowDepth: number,
) {
  return {
    variables: {
      flow: { id: flow.id, namespace: flow.namespace, revision: flow.revision, tenantId: flow.tenantId },
      execution: { id: executionId },
      ...(flow.variables ? { vars: flow.variables } : {}),
      envs: environment.envs ?? {},
      globals: environment.globals ?? {},
    },
    host: host({ namespace: flow.namespace, subflowDepth }),
  };
}
