import { anything, choice, defineTask, dropMissing, mapOf, readJsonMap, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { requestOptions } from '../base/requestOptions.ts';
import {
  defineSummary,
  mergePayload,
  noOutput,
  oneTask,
  onFailure,
  onFlowFailure,
  payloadProperty,
} from '../base/serviceTasks.ts';
import { newEventId, sendEvent } from './sendEvent.ts';

const alertType = 'sentry.SentryAlert';
const executionType = 'sentry.SentryExecution';

const platforms =
  'AS3,C,CFML,COCOA,CSHARP,ELIXIR,HASKELL,GO,GROOVY,JAVA,JAVASCRIPT,NATIVE,NODE,OBJC,OTHER,PERL,PHP,PYTHON,RUBY';

const sentryProperties = {
  dsn: text().describe('The DSN of the project. Keep it in a secret.'),
  endpointType: choice(['ENVELOPE', 'STORE'])
    .default('ENVELOPE')
    .describe('The call that takes the event; `STORE` is for old servers.'),
  payload: payloadProperty(),
  options: requestOptions(),
};

export const sentryAlert = defineTask({
  type: alertType,
  aliases: ['notifications.sentry.SentryAlert'],
  title: 'Send an event to Sentry',
  description: `Sends \`payload\`, an [event](https://develop.sentry.dev/sdk/data-model/event-payloads/), to a project of Sentry.
Without a payload the event names the flow that sent it. \`event_id\` and \`timestamp\` are added when they are missing.`,
  input: () => z.object(sentryProperties),
  output: noOutput,
  sideEffects: true,
  examples: [
    oneTask(
      alertType,
      `dsn: "{{ secret('SENTRY_DSN') }}"
payload: |
  {"level": "warning", "platform": "other", "message": {"formatted": "The disk is almost full"}}`,
      'Send a message.',
      'sentry_event',
    ),
  ],
  run: async (context, { payload, ...connection }) => {
    const { namespace, flowId, executionId } = context.run;
    const made = {
      platform: 'other',
      level: 'error',
      message: { formatted: `Alert of flow ${namespace}.${flowId}` },
      extra: { Namespace: namespace, 'Flow ID': flowId, 'Execution ID': executionId },
    };
    const event = payload === undefined || payload.trim() === '' ? made : readJsonMap(payload, 'payload');
    await sendEvent(context, event, connection);
    return {};
  },
});

export const sentryExecution = defineSummary({
  type: executionType,
  aliases: ['notifications.sentry.SentryExecution'],
  title: 'Report an execution to Sentry',
  description: `Sends an event about an execution, with its state, duration, failed task, your own fields and a link to its
page. Failures of one flow and task are grouped into one issue. Keys of \`payload\` replace those of the report.`,
  properties: {
    ...sentryProperties,
    eventId: text()
      .optional()
      .describe('The id of the event: 32 hexadecimal digits; a random one when absent.'),
    platform: choice(platforms.split(',') as [string, ...string[]]) // the list above is not empty
      .default('JAVA')
      .describe('The platform that Sentry shows the event for.'),
    level: choice(['FATAL', 'ERROR', 'WARNING', 'INFO', 'DEBUG']).default('ERROR').describe('The level.'),
    transaction: text().optional().describe('The transaction; namespace and flow when absent.'),
    serverName: text().optional().describe('The server.'),
    extra: mapOf(anything()).optional().describe('More facts of the event.'),
    errors: mapOf(anything()).optional().describe('Problems with the event itself.'),
  },
  examples: [
    onFailure(
      executionType,
      `dsn: "{{ secret('SENTRY_DSN') }}"
level: FATAL
serverName: warehouse`,
    ),
    onFlowFailure(executionType, `dsn: "{{ secret('SENTRY_DSN') }}"`),
  ],
  send: async (context, summary, input) => {
    const { dsn, endpointType, options, payload, extra, errors, transaction, serverName } = input;
    const { namespace, flowId, state, sentence, fields, link, customMessage, failedTaskId } = summary;
    const value = [customMessage, sentence].filter((line) => line !== undefined).join('\n');
    const made = dropMissing({
      event_id: input.eventId?.replaceAll('-', '') ?? newEventId(),
      platform: input.platform.toLowerCase(),
      level: input.level.toLowerCase(),
      logger: 'millrace',
      transaction: transaction ?? `${namespace}.${flowId}`,
      server_name: serverName,
      fingerprint: [namespace, flowId, state, failedTaskId ?? ''],
      tags: { namespace, flow: flowId, state },
      exception: { values: [{ type: `${flowId} ➛ ${state}`, value, module: namespace }] },
      extra: { ...Object.fromEntries(fields), ...(link && { Link: link }), ...extra },
      errors: errors && [errors],
    });
    await sendEvent(context, mergePayload(made, payload), { dsn, endpointType, options });
  },
});
