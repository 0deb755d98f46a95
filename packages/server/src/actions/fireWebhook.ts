import { timingSafeEqual } from 'node:crypto';
import { AppError, type ExecutionRecord, type Flow, type TriggerDefinition } from '@millrace/contract';
import { allHold, conditionsOf, shortType } from '@millrace/engine';
import { render } from '@millrace/expression';
import { messageOf } from '@millrace/plugin-kit';
import type { Op } from '@millrace/store';
import { parseJson } from '../http/body.ts';
import type { Product } from '../product.ts';
import { makeTriggeredExecution, triggerLog, variablesOf } from '../triggers/triggeredExecution.ts';
import { serverZoneRules } from '../triggers/zone.ts';
import type { InputParts } from './readInputs.ts';
import { startOnce } from './startOnce.ts';

export interface WebhookCall {
  readonly namespace: string;
  readonly id: string;
  readonly key: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly parameters: Readonly<Record<string, readonly string[]>>;
  /** A second call with the same key is answered with the execution of the first. */
  readonly idempotencyKey: string | undefined;
}

type Parts = InputParts & Pick<Product, 'store' | 'flows' | 'executor' | 'clock' | 'newId' | 'catalogue'>;

export interface FiredWebhook {
  readonly execution: ExecutionRecord;
  readonly flow: Flow;
  readonly trigger: TriggerDefinition;
}

/** Starts the flow whose webhook has this key; resolves once the execution is on disk. Undefined: a condition does not hold. */
export async function fireWebhook(call: WebhookCall, parts: Parts): Promise<FiredWebhook | undefined> {
  // Strangers call this: without the key nobody learns whether there is such a flow, or how it is.
  const stored = await parts.flows.find(call.namespace, call.id);
  if (!stored || stored.record.deleted) throw new AppError('not-found', noSuchWebhook);
  const trigger = await findWebhook(stored.runnable, call.key, parts);
  const { runnable: flow } = await parts.flows.findRunnable(call.namespace, call.id);
  const uniqueKey =
    call.idempotencyKey === undefined
      ? undefined
      : `webhook/${flow.namespace}/${flow.id}/${trigger.id}/${call.idempotencyKey}`;
  const execution = await startOnce<undefined>(uniqueKey, parts, () =>
    startTriggered(call, { flow, trigger, uniqueKey }, parts),
  );
  return execution && { execution, flow, trigger };
}

async function startTriggered(
  call: WebhookCall,
  { flow, trigger, uniqueKey }: Omit<FiredWebhook, 'execution'> & { readonly uniqueKey: string | undefined },
  parts: Parts,
): Promise<ExecutionRecord | undefined> {
  const body = readBody(call.body);
  const triggerVariables = {
    ...(body === undefined ? {} : { body }),
    headers: call.headers,
    parameters: call.parameters,
  };
  if (!(await conditionsHold(flow, trigger, triggerVariables, parts))) return undefined;
  const logs: Op[] = [];
  const warn = (message: string) =>
    logs.push({
      op: 'log.insert',
      log: triggerLog(flow, trigger, { level: 'WARN', message, at: parts.clock() }),
    });
  const started = { id: parts.newId(), flow, trigger, triggerVariables };
  const execution = await makeTriggeredExecution(started, warn, parts).catch(refuseInputs);
  await parts.executor.start(flow, execution, uniqueKey, logs);
  return execution;
}

/** An expression that fails is the author's mistake or the caller's; in any case nothing was started. */
function refuseInputs(error: unknown): never {
  if (error instanceof AppError) throw error;
  const message = `the inputs of the webhook cannot be rendered: ${messageOf(error)}`;
  throw new AppError('illegal-argument', message, { cause: error });
}

/** One that cannot be answered is the author's mistake: the caller is told that nothing was started. */
async function conditionsHold(
  flow: Flow,
  trigger: TriggerDefinition,
  triggerVariables: Readonly<Record<string, unknown>>,
  parts: Parts,
): Promise<boolean> {
  const conditions = conditionsOf(trigger.conditions);
  if (conditions.length === 0) return true;
  const at = parts.clock();
  const date = new Date(at).toISOString();
  try {
    return await allHold(conditions, {
      variables: { ...variablesOf(flow, parts), trigger: { date, ...triggerVariables } },
      host: parts.host({ namespace: flow.namespace }),
      zone: serverZoneRules(),
      flow,
    });
  } catch (error) {
    const message = `a condition of the webhook cannot be answered: ${messageOf(error)}`;
    await parts.store.commit([
      { op: 'log.insert', log: triggerLog(flow, trigger, { level: 'ERROR', message, at }) },
    ]);
    throw new AppError('illegal-argument', message, { cause: error });
  }
}

/** Every key is compared in the same time, so that answers do not tell how much of a guess was right. */
async function findWebhook(flow: Flow, key: string, parts: Parts): Promise<TriggerDefinition> {
  const given = Buffer.from(key);
  for (const trigger of flow.triggers ?? []) {
    if (trigger.disabled || !isWebhook(trigger, parts)) continue;
    const expected = knownKeys.get(trigger) ?? (await readKey(trigger, flow, parts));
    if (!expected || !isSameKey(expected, given)) continue;
    const row = await parts.store.getTrigger(flow.namespace, flow.id, trigger.id);
    if (!row?.disabled) return trigger;
  }
  throw new AppError('not-found', noSuchWebhook);
}

const noSuchWebhook = 'there is no webhook with this key';

function isWebhook({ type }: TriggerDefinition, { catalogue }: Parts): boolean {
  return (catalogue.find(type)?.type ?? shortType(type)) === 'core.trigger.Webhook';
}

/** Keys without an expression stay the same as long as the parsed trigger lives. */
const knownKeys = new WeakMap<TriggerDefinition, Buffer>();

/** Undefined for an empty key, which matches nothing. */
async function readKey(trigger: TriggerDefinition, flow: Flow, parts: Parts): Promise<Buffer | undefined> {
  const key = (await renderKey(trigger, flow, parts)).trim();
  if (key === '') return undefined;
  const expected = Buffer.from(key);
  if (key === trigger.key) knownKeys.set(trigger, expected);
  return expected;
}

/** However long the guess and however much of it is right, as many bytes are compared as the key has. */
function isSameKey(expected: Buffer, given: Buffer): boolean {
  const compared = Buffer.alloc(expected.length);
  given.copy(compared);
  return timingSafeEqual(expected, compared) && given.length === expected.length;
}

async function renderKey(trigger: TriggerDefinition, flow: Flow, { host }: Parts): Promise<string> {
  const variables = {
    flow: { id: flow.id, namespace: flow.namespace, revision: flow.revision },
    vars: flow.variables,
  };
  return render(String(trigger.key ?? ''), variables, host({ namespace: flow.namespace }));
}

/** JSON objects and arrays are parsed, anything else is kept as text, nothing stays nothing. */
function readBody(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
