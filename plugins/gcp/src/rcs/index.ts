import { randomUUID } from 'node:crypto';
import {
  choice,
  type Definition,
  decimal,
  listOf,
  nameOfUri,
  part,
  storageUri,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { type Google, segment } from '../google/client.ts';
import { cloudPlatform } from '../google/credentials.ts';
import { type Cloud, defineGcpTask, fileInput, scopesProperty, taskExample } from '../google/define.ts';
import { dropMissing, type Json, textAt } from '../google/json.ts';

const rcsHost = 'https://rcsbusinessmessaging.googleapis.com';

const properties = {
  agentId: text().describe('The id of the agent.'),
  msisdn: text().describe('The number of the phone, such as `+491701234567`.'),
  scopes: scopesProperty(cloudPlatform, 'https://www.googleapis.com/auth/rcsbusinessmessaging'),
};
interface Recipient {
  readonly agentId: string;
  readonly msisdn: string;
}

const output = () =>
  z.object({
    messageId: z.string().describe('The id of the message.'),
    sendTime: z.string().optional().describe('When it was sent.'),
  });

/** The id makes it safe to send a message twice: the phone shows it once. */
async function send({ google }: Cloud, { agentId, msisdn }: Recipient, contentMessage: Json) {
  const messageId = randomUUID();
  const { body } = await google.json({
    url: `${rcsHost}/v1/phones/${segment(msisdn)}/agentMessages`,
    query: { messageId, agentId },
    body: { contentMessage },
    idempotent: true,
  });
  return dropMissing({ messageId, sendTime: textAt(body, 'sendTime') });
}

const suggestions = () =>
  listOf(
    part({
      type: choice(['URL', 'DIAL', 'REPLY', 'MAP']).describe(
        'What a tap does: open a page, call, reply, or show a place.',
      ),
      text: text().describe('The text of the button.'),
      postbackData: text().optional().describe('What the agent gets when it is tapped.'),
      url: text().optional().describe('The page, for `URL`.'),
      phoneNumber: text().optional().describe('The number, for `DIAL`.'),
      latitude: decimal().optional().describe('The latitude, for `MAP`.'),
      longitude: decimal().optional().describe('The longitude, for `MAP`.'),
      locationLabel: text().optional().describe('The name of the place, for `MAP`.'),
    }),
  )
    .optional()
    .describe('The buttons.');
type Suggestion = NonNullable<z.infer<ReturnType<typeof suggestions>>>[number];

function toSuggestion(each: Suggestion): Json {
  const named = { text: each.text, postbackData: each.postbackData ?? each.text };
  switch (each.type) {
    case 'REPLY':
      return { reply: named };
    case 'URL':
      return { action: { ...named, openUrlAction: { url: each.url } } };
    case 'DIAL':
      return { action: { ...named, dialAction: { phoneNumber: each.phoneNumber } } };
    case 'MAP':
      return {
        action: {
          ...named,
          viewLocationAction: dropMissing({
            latLong: { latitude: each.latitude, longitude: each.longitude },
            label: each.locationLabel,
          }),
        },
      };
  }
}

const cardProperties = {
  title: text().optional().describe('The title.'),
  description: text().optional().describe('The text.'),
  imageUrl: text().optional().describe('The address of an image.'),
  suggestions: suggestions(),
};
type Card = z.infer<z.ZodObject<typeof cardProperties>>;

const toCard = ({ title, description, imageUrl, suggestions: buttons }: Card): Json =>
  dropMissing({
    title,
    description,
    media: imageUrl === undefined ? undefined : { height: 'MEDIUM', contentInfo: { fileUrl: imageUrl } },
    suggestions: buttons?.map(toSuggestion),
  });

const recipient = 'agentId: my-agent\nmsisdn: "+491701234567"\n';

const message = defineGcpTask({
  type: 'gcp.rcs.SendMessage',
  title: 'Send a text by RCS',
  description: 'Sends a text to a phone with RCS Business Messaging.',
  properties: { ...properties, text: text().describe('The text.') },
  output,
  examples: [
    taskExample('gcp.rcs.SendMessage', 'Send a text.', `${recipient}text: Your order is on its way.`),
  ],
  run: (cloud, input) => send(cloud, input, { text: input.text }),
});

const richCard = defineGcpTask({
  type: 'gcp.rcs.SendRichCard',
  title: 'Send a card by RCS',
  description: 'Sends a card with title, text, image and buttons to a phone.',
  properties: { ...properties, ...cardProperties },
  output,
  examples: [
    taskExample(
      'gcp.rcs.SendRichCard',
      'Send a card.',
      `${recipient}title: Your order\ndescription: It arrives today.\nsuggestions:\n  - type: URL\n    text: Track\n    url: https://shop.example.com/track`,
    ),
  ],
  run: (cloud, input) =>
    send(cloud, input, {
      richCard: { standaloneCard: { cardOrientation: 'VERTICAL', cardContent: toCard(input) } },
    }),
});

const carousel = defineGcpTask({
  type: 'gcp.rcs.SendCarousel',
  title: 'Send several cards by RCS',
  description: 'Sends 2 to 10 cards that the user can browse.',
  properties: { ...properties, cards: listOf(part(cardProperties), { min: 2 }).describe('The cards.') },
  output,
  examples: [
    taskExample(
      'gcp.rcs.SendCarousel',
      'Send two cards.',
      `${recipient}cards:\n  - title: First\n    description: One\n  - title: Second\n    description: Two`,
    ),
  ],
  run: (cloud, input) =>
    send(cloud, input, {
      richCard: { carouselCard: { cardWidth: 'MEDIUM', cardContents: input.cards.map(toCard) } },
    }),
});

const maxFileBytes = 100 * 1024 * 1024;

/** Uploads the file to Google, which stores up to 100 MB for the phone. */
async function uploadFile(
  google: Google,
  context: TaskContext,
  agentId: string,
  uri: string,
): Promise<string> {
  const size = await context.files.sizeOf(uri);
  if (size === undefined || size > maxFileBytes)
    throw new TaskFailed(`The file ${uri} must exist and have at most 100 MB.`, { retry: false });
  const chunks: Uint8Array[] = [];
  for await (const chunk of await context.files.read(uri)) chunks.push(chunk);
  const { body } = await google.json({
    url: `${rcsHost}/upload/v1/files`,
    method: 'POST',
    query: { agentId, uploadType: 'media' },
    content: Buffer.concat(chunks),
    headers: { 'content-type': mediaTypeOf(nameOfUri(uri)) },
  });
  return textAt(body, 'name') ?? '';
}

const mediaTypes: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
};
const mediaTypeOf = (name: string): string =>
  mediaTypes[name.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream';

const file = defineGcpTask({
  type: 'gcp.rcs.SendFile',
  title: 'Send a file by RCS',
  description: 'Sends an image, a video or a PDF of internal storage to a phone.',
  properties: {
    ...properties,
    file: storageUri().describe('The file in internal storage.'),
    thumbnail: storageUri().optional().describe('A small image that is shown before the file is loaded.'),
  },
  output,
  examples: [
    taskExample('gcp.rcs.SendFile', 'Send an image.', `${recipient}file: "{{ inputs.file }}"`, {
      inputs: fileInput,
    }),
  ],
  async run(cloud, input, context) {
    const fileName = await uploadFile(cloud.google, context, input.agentId, input.file);
    const thumbnailName =
      input.thumbnail && (await uploadFile(cloud.google, context, input.agentId, input.thumbnail));
    return send(cloud, input, { uploadedRbmFile: dropMissing({ fileName, thumbnailName }) });
  },
});

export const rcsTypes: readonly Definition[] = [message, richCard, carousel, file];
