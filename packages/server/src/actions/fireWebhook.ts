import { timingSafeEqual } from 'node:crypto';
import { AppError, type ExecutionRecord, type Flow, type TriggerDefinition } from '@millrace/contract';
import { allHold, conditionsOfTrigger, shortType } from '@millrace/engine';
import { render } from '@millrace/expression';
import { messageOf, type PluginCatalogue, type WebhookReply } from '@millrace/plugin-kit';
import { type Op, type Store, throwIfUnavailable } from '@millrace/store';
import type { ExecutorPort } from '../executor/executorPort.ts';
import type { ProcessLog } from '../processLog.ts';
import { makeTriggeredExecution, triggerLog, variablesOf } from '../scheduler/triggeredExecution.ts';
import { serverZoneRules } from '../scheduler/zone.ts';
import type { FlowCache } from './flowCache.ts';
import type { InputParts } from './readInputs.ts';
import { receiveWebhook } from './receiveWebhook.ts';
import { startOnce } from './startOnce.ts';

export interface WebhookCall {
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly parameters: Readonly<Record<string, readonly string[]>>;
  /** A second call with the same key returns the execution of the first. */
  readonly idempotencyKey: string | undefined;
}

type Parts = InputParts & {
  readonly store: Store;
  readonly flows: FlowCache;
  readonly executor: ExecutorPort;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly catalogue: PluginCatalogue;
  readonly log: ProcessLog;
};

export interface Webhook {
  readonly namespace: string;
  readonly flowId: string;
  readonly trigger: TriggerDefinition;
}

export interface FiredWebhook {
  readonly execution: ExecutionRecord;
  readonly flow: Flow;
  readonly trigger: TriggerDefinition;
  /** The response that the trigger wants, instead of the execution. */
  readonly reply?: WebhookReply;
}

/** A call to which the trigger replied without starting an execution. */
export interface AnsweredWebhook {
  readonly reply: WebhookReply;
}

/**
 * Starts the flow of a webhook; resolves once the execution is on disk. Undefined when a condition does not
 * hold. A plugin's trigger may interpret the call itself.
 */
export async function fireWebhook(
  { trigger, ...of }: Webhook,
  call: WebhookCall,
  parts: Parts,
): Promise<FiredWebhook | AnsweredWebhook | undefined> {
  const { runnable: flow } = await parts.flows.findRunnable(of.namespace, of.flowId);
  const decision = await receiveWebhook({ flow, trigger }, call, parts);
  if (!('outputs' in decision)) return decision;
  const { outputs, reply, key = call.idempotencyKey } = decision;
  const uniqueKey =
    key === undefined ? undefined : `webhook/${flow.namespace}/${flow.id}/${trigger.id}/${key}`;
  const execution = await startOnce<undefined>(uniqueKey, parts, () =>
    startTriggered(outputs, { flow, trigger, uniqueKey }, parts),
  );
  return execution && { execution, flow, trigger, ...(reply && { reply }) };
}

async function startTriggered(
  triggerVariables: Readonly<Record<string, unknown>>,
  { flow, trigger, uniqueKey }: Omit<FiredWebhook, 'execution'> & { readonly uniqueKey: string | undefined },
  parts: Parts,
): Promise<ExecutionRecord | undefined> {
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
  throwIfUnavailable(error);
  const message = `the inputs of the webhook cannot be rendered: ${messageOf(error)}`;
  throw new AppError('illegal-argument', message, { cause: error });
}

/** A condition that fails to evaluate is the author's mistake: the caller learns that nothing was started. */
async function conditionsHold(
  flow: Flow,
  trigger: TriggerDefinition,
  triggerVariables: Readonly<Record<string, unknown>>,
  parts: Parts,
): Promise<boolean> {
  const conditions = conditionsOfTrigger(trigger);
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
    throwIfUnavailable(error);
    const message = `a condition of the webhook cannot be answered: ${messageOf(error)}`;
    await parts.store.commit([
      { op: 'log.insert', log: triggerLog(flow, trigger, { level: 'ERROR', message, at }) },
    ]);
    throw new AppError('illegal-argument', message, { cause: error });
  }
}

/**
 * The enabled webhook of a flow with this key. Keys are compared in constant time, so that response times do
 * not reveal parts of a key.
 */
export async function findWebhook(
  { namespace, id, key }: { namespace: string; id: string; key: string },
  parts: Parts,
): Promise<Webhook | undefined> {
  const stored = await parts.flows.find(namespace, id);
  if (!stored || stored.record.deleted) return undefined;
  const flow = stored.runnable;
  const given = Buffer.from(key);
  for (const trigger of flow.triggers ?? []) {
    if (trigger.disabled || !isWebhook(trigger, parts)) continue;
    const expected = knownKeys.get(trigger) ?? (await readKey(trigger, flow, parts));
    if (!expected || !isSameKey(expected, given)) continue;
    const row = await parts.store.getTrigger(namespace, id, trigger.id);
    if (!row?.disabled) return { namespace, flowId: id, trigger };
  }
  return undefined;
}

function isWebhook({ type }: TriggerDefinition, { catalogue }: Parts): boolean {
  const found = catalogue.find(type)?.definition;
  if (found) return found.kind === 'trigger' && found.role === 'webhook';
  return shortType(type) === 'core.trigger.Webhook';
}

/** Keys without an expression stay the same as long as the parsed trigger lives. */
const knownKeys = new WeakMap<TriggerDefinition, Buffer>();

/** Undefined for a key that is empty or cannot be rendered, which matches nothing. */
async function readKey(trigger: TriggerDefinition, flow: Flow, parts: Parts): Promise<Buffer | undefined> {
  const key = await renderKey(trigger, flow, parts).then(
    (text) => text.trim(),
    (error: unknown) => {
      const { namespace, id } = flow;
      parts.log.warn(`The key of webhook "${namespace}.${id}.${trigger.id}" cannot be rendered.`, { error });
      return '';
    },
  );
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
