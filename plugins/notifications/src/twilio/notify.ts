import {
  defineTask,
  dropMissing,
  type JsonMap,
  listOf,
  readJsonMap,
  type TaskContext,
  TaskFailed,
  text,
  textOf,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { askService } from '../base/readResponse.ts';
import { type RequestOptions, requestOptions } from '../base/requestOptions.ts';
import { sendRequest } from '../base/sendRequest.ts';
import {
  defineSummary,
  mergePayload,
  noOutput,
  oneTask,
  onFailure,
  onFlowFailure,
  payloadProperty,
} from '../base/serviceTasks.ts';

const alertType = 'twilio.notify.TwilioAlert';
const executionType = 'twilio.notify.TwilioExecution';

const account = {
  accountSID: text().describe('The SID of the account, `AC…`.'),
  authToken: text().describe('The auth token of the account. Keep it in a secret.'),
};

const alertProperties = {
  url: text().describe(
    'The call that takes the message, such as `https://notify.twilio.com/v1/Services/<SID>/Notifications` or `https://api.twilio.com/2010-04-01/Accounts/<SID>/Messages.json`.',
  ),
  ...account,
  payload: payloadProperty().describe(
    'The form that is sent, as a JSON object: `Body`, `Identity`, `Tag`, `From`, `To` …',
  ),
  options: requestOptions(),
};

interface Account {
  readonly accountSID: string;
  readonly authToken: string;
}

const basic = ({ accountSID, authToken }: Account) => ({
  headers: { authorization: `Basic ${Buffer.from(`${accountSID}:${authToken}`).toString('base64')}` },
  secrets: [authToken, Buffer.from(`${accountSID}:${authToken}`).toString('base64')],
});

/** A list repeats its name for every item. */
function toForm(fields: JsonMap): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    for (const item of Array.isArray(value) ? value : [value])
      form.append(name, typeof item === 'object' ? JSON.stringify(item) : String(item));
  return form;
}

export const twilioAlert = defineTask({
  type: alertType,
  aliases: ['notifications.twilio.TwilioAlert'],
  title: 'Send a message through Twilio',
  description: 'Sends `payload` as a form to a call of Twilio.',
  input: () => z.object(alertProperties),
  output: noOutput,
  sideEffects: true,
  examples: [
    oneTask(
      alertType,
      `url: https://notify.twilio.com/v1/Services/ISXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX/Notifications
accountSID: "{{ secret('TWILIO_SID') }}"
authToken: "{{ secret('TWILIO_TOKEN') }}"
payload: |
  {"Identity": "0000001", "Body": "{{ flow.id }} is done"}`,
      'Notify a user.',
      'twilio_alert',
    ),
  ],
  run: async (context, { url, payload, options, ...login }) => {
    if (payload === undefined || payload.trim() === '')
      throw new TaskFailed('"payload" must be given: the form as a JSON object.', { retry: false });
    const body = toForm(readJsonMap(payload, 'payload'));
    await sendRequest(context, { service: 'Twilio', url, body, options, ...basic(login) });
    return {};
  },
});

export const twilioExecution = defineSummary({
  type: executionType,
  aliases: ['notifications.twilio.TwilioExecution'],
  title: 'Report an execution through Twilio',
  description: `Sends the state, duration and failed task of an execution with a link to its page as a short text, or \`body\`.
Keys of \`payload\` replace those of the report.`,
  properties: {
    ...alertProperties,
    body: text().optional().describe('The text, instead of the report.'),
    identity: text().optional().describe('Who gets it, by identity.'),
    tag: text().optional().describe('Who gets it, by tag.'),
  },
  examples: [
    onFailure(
      executionType,
      `url: https://notify.twilio.com/v1/Services/ISXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX/Notifications
accountSID: "{{ secret('TWILIO_SID') }}"
authToken: "{{ secret('TWILIO_TOKEN') }}"
identity: "0000001"`,
    ),
    onFlowFailure(
      executionType,
      `url: https://notify.twilio.com/v1/Services/ISXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX/Notifications
accountSID: "{{ secret('TWILIO_SID') }}"
authToken: "{{ secret('TWILIO_TOKEN') }}"
tag: on-call`,
    ),
  ],
  send: async (context, summary, { url, payload, options, body, identity, tag, ...login }) => {
    const { customMessage, title, sentence, link } = summary;
    const words = [customMessage, title, sentence.replaceAll('`', ''), link].filter(
      (line) => line !== undefined,
    );
    const made = dropMissing({ Body: body ?? words.join('\n'), Identity: identity, Tag: tag });
    const form = toForm(mergePayload(made, payload));
    await sendRequest(context, { service: 'Twilio', url, body: form, options, ...basic(login) });
  },
});

const messageProperties = {
  ...account,
  from: text().describe('The number that sends, as in `+15550001111`.'),
  to: text().describe('The number that receives.'),
  body: text().describe('The text, at most 1,600 characters.'),
  options: requestOptions(),
};
const sentMessage = () =>
  z.object({
    sid: z.string().describe('The id of the message.'),
    status: z.string().describe('How far it has come: `queued`, `accepted`, `sent` …'),
  });

interface Message extends Account {
  readonly from: string;
  readonly to: string;
  readonly body: string;
  readonly mediaUrls?: readonly string[];
  readonly options?: RequestOptions;
}

async function sendMessage(context: TaskContext, message: Message): Promise<{ sid: string; status: string }> {
  const { accountSID, from, to, body, mediaUrls = [], options } = message;
  if (!/^AC[0-9a-f]{32}$/i.test(accountSID))
    throw new TaskFailed(`"accountSID" must be "AC" and 32 hexadecimal digits, got "${accountSID}".`, {
      retry: false,
    });
  const answer = await askService(context, {
    service: 'Twilio',
    url: `https://api.twilio.com/2010-04-01/Accounts/${accountSID}/Messages.json`,
    body: toForm({ From: from, To: to, Body: body, ...(mediaUrls.length > 0 && { MediaUrl: mediaUrls }) }),
    options,
    ...basic(message),
    accepts: (status) => status === 201,
  });
  return { sid: textOf(answer.sid) ?? '', status: textOf(answer.status) ?? '' };
}

const messageExample = `accountSID: "{{ secret('TWILIO_SID') }}"
authToken: "{{ secret('TWILIO_TOKEN') }}"
from: "+15550001111"
to: "+15550002222"
body: "{{ flow.id }} is done"`;

export const twilioSms = defineTask({
  type: 'twilio.notify.sms.Send',
  title: 'Send an SMS through Twilio',
  description: 'Sends a text message to a phone number.',
  input: () => z.object(messageProperties),
  output: sentMessage,
  sideEffects: true,
  examples: [oneTask('twilio.notify.sms.Send', messageExample, 'Send a text.', 'twilio_sms')],
  run: sendMessage,
});

export const twilioMms = defineTask({
  type: 'twilio.notify.mms.Send',
  title: 'Send an MMS through Twilio',
  description: 'Sends a text message with images or other media to a phone number.',
  input: () =>
    z.object({
      ...messageProperties,
      mediaUrls: listOf(text(), { min: 1 }).describe('The addresses of the media, at most ten.'),
    }),
  output: sentMessage,
  sideEffects: true,
  examples: [
    oneTask(
      'twilio.notify.mms.Send',
      `${messageExample}
mediaUrls:
  - https://example.com/chart.png`,
      'Send a picture.',
      'twilio_mms',
    ),
  ],
  run: sendMessage,
});
