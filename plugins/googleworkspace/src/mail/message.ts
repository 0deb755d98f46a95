import {
  dropMissing,
  type Json,
  mapAt,
  mapsAt,
  numberAt,
  textAt,
  textsAt,
} from '@millrace/plugin-gcp/google';
import { z } from 'zod';

const optional = () => z.string().optional();
const list = () => z.array(z.string());

const headShape = {
  id: z.string().describe('The id.'),
  threadId: optional().describe('The id of the conversation.'),
  labelIds: list().describe('The labels.'),
  snippet: optional().describe('The start of the text.'),
  historyId: optional().describe('The id of the last change.'),
  internalDate: optional().describe('When the mail arrived.'),
  sizeEstimate: z.number().optional().describe('The size in bytes, roughly.'),
  headers: z.record(z.string(), z.string()).describe('The headers.'),
  subject: optional().describe('The subject.'),
  from: optional().describe('The sender.'),
  to: list().describe('The recipients.'),
  cc: list().describe('Who got a copy.'),
  bcc: list().describe('Who got a blind copy.'),
};
export const headOutput = z.object(headShape);

export const messageOutput = z.object({
  ...headShape,
  raw: optional().describe('The whole mail, with the format `raw`.'),
  textPlain: optional().describe('The text.'),
  textHtml: optional().describe('The HTML.'),
  attachments: z
    .array(
      z.object({
        attachmentId: optional().describe('The id; absent for a small file.'),
        mimeType: optional().describe('The media type.'),
        filename: z.string().describe('The name.'),
        size: z.number().optional().describe('The length in bytes.'),
        data: optional().describe('The content of a small file, in Base64.'),
      }),
    )
    .describe('The attached files.'),
});

export const decode = (data: string): Buffer => Buffer.from(data, 'base64url');

/** Splits addresses at commas, except commas in a quoted name. */
const addressesOf = (header: string | undefined): string[] =>
  (header?.match(/(?:"(?:[^"\\]|\\.)*"|[^",])+/g) ?? [])
    .map((each) => each.trim())
    .filter((each) => each !== '');

export function toHead(json: Json): z.infer<typeof headOutput> {
  const headers: Record<string, string> = {};
  for (const each of mapsAt(mapAt(json, 'payload'), 'headers'))
    headers[textAt(each, 'name') ?? ''] = textAt(each, 'value') ?? '';
  const header = (name: string) => Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const arrived = numberAt(json, 'internalDate');
  return dropMissing({
    id: textAt(json, 'id') ?? '',
    threadId: textAt(json, 'threadId'),
    labelIds: [...textsAt(json, 'labelIds')],
    snippet: textAt(json, 'snippet'),
    historyId: textAt(json, 'historyId'),
    internalDate: arrived === undefined ? undefined : new Date(arrived).toISOString(),
    sizeEstimate: numberAt(json, 'sizeEstimate'),
    headers,
    subject: header('subject'),
    from: header('from'),
    to: addressesOf(header('to')),
    cc: addressesOf(header('cc')),
    bcc: addressesOf(header('bcc')),
  });
}

export function toMessage(json: Json): z.infer<typeof messageOutput> {
  const parts = [...partsOf(mapAt(json, 'payload'))];
  const raw = textAt(json, 'raw');
  const textOf = (type: string) => {
    const found = parts.find((part) => textAt(part, 'mimeType') === type && !textAt(part, 'filename'));
    const data = found && textAt(mapAt(found, 'body'), 'data');
    return data === undefined ? undefined : decode(data).toString('utf8');
  };
  return dropMissing({
    ...toHead(json),
    raw: raw === undefined ? undefined : decode(raw).toString('utf8'),
    textPlain: textOf('text/plain'),
    textHtml: textOf('text/html'),
    attachments: parts.flatMap((part) => {
      const filename = textAt(part, 'filename');
      const body = mapAt(part, 'body');
      const data = textAt(body, 'data');
      if (!filename) return [];
      return [
        dropMissing({
          attachmentId: textAt(body, 'attachmentId'),
          mimeType: textAt(part, 'mimeType'),
          filename,
          size: numberAt(body, 'size'),
          data: data === undefined ? undefined : decode(data).toString('base64'),
        }),
      ];
    }),
  });
}

/** A part and all parts in it. */
function* partsOf(part: Json): Generator<Json> {
  yield part;
  for (const inner of mapsAt(part, 'parts')) yield* partsOf(inner);
}
