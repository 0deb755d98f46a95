import { AppError, type Flow, type TriggerDefinition } from '@millrace/contract';
import { encryptedType } from '@millrace/engine';
import { renderDeep } from '@millrace/expression';
import {
  messageOf,
  ownProperties,
  type PluginCatalogue,
  type TriggerDefinition as PluginTrigger,
  readInput,
  renderProperties,
  type WebhookDecision,
  type WebhookRequest,
} from '@millrace/plugin-kit';
import { throwIfUnavailable } from '@millrace/store';
import { parseJson } from '../parseJson.ts';
import { variablesOf } from '../scheduler/triggeredExecution.ts';
import type { InputParts } from './readInputs.ts';

type Parts = InputParts & { readonly catalogue: PluginCatalogue; readonly clock: () => number };

interface Called {
  readonly flow: Flow;
  readonly trigger: TriggerDefinition;
}

/** Lets the plugin's trigger interpret a call; by default a call starts an execution with everything sent. */
export async function receiveWebhook(
  called: Called,
  call: WebhookRequest,
  parts: Parts,
): Promise<Exclude<WebhookDecision, { readonly refusal: unknown }>> {
  const definition = parts.catalogue.find(called.trigger.type)?.definition;
  if (definition?.kind === 'trigger' && definition.receive) {
    const decision = await askPlugin(definition, called, call, parts);
    if ('refusal' in decision) throw new AppError(decision.refusal.code, decision.refusal.message);
    return decision;
  }
  const { headers, parameters } = call;
  const body = readBody(call.body);
  return { outputs: { ...(body === undefined ? {} : { body }), headers, parameters } };
}

async function askPlugin(
  definition: PluginTrigger,
  { flow, trigger }: Called,
  { body, headers, parameters }: WebhookRequest,
  parts: Parts,
): Promise<WebhookDecision> {
  const { encryption } = parts;
  const host = parts.host({ namespace: flow.namespace });
  const variables = variablesOf(flow, parts);
  const renderer = { render: async (value: unknown) => renderDeep(value, variables, host) };
  try {
    const rendered = await renderProperties(definition, ownProperties('trigger', trigger), renderer);
    const input = readInput(definition.type, definition.input, rendered);
    const context = {
      now: parts.clock(),
      seal: (text: string) => encryption && { type: encryptedType, value: encryption.encrypt(text) },
    };
    // `receive` is there: the caller has looked.
    return await definition.receive!(context, input, { body, headers, parameters });
  } catch (error) {
    throwIfUnavailable(error);
    const message = `the webhook "${trigger.id}" could not be evaluated: ${messageOf(error)}`;
    throw new AppError('illegal-argument', message, { cause: error });
  }
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
