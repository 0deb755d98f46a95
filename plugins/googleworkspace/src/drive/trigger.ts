import {
  dropMissing,
  type Google,
  GoogleRefused,
  type Json,
  mapsAt,
  numberAt,
  segment,
  textAt,
  textsAt,
} from '@millrace/plugin-gcp/google';
import { flag, integer, listOf, nameOfUri, type TriggerContext, text } from '@millrace/plugin-kit';
import { z } from 'zod';
import { defineWorkspaceTrigger, newItems, scope, seenOf, workspaceTriggerExample } from '../workspace.ts';
import { driveUrl, folderQueries, foldersBelow, quote } from './files.ts';

const fields =
  'id,name,mimeType,createdTime,modifiedTime,owners(displayName,emailAddress),parents,size,webViewLink,iconLink,thumbnailLink';

const optional = () => z.string().optional();

export const fileCreatedTrigger = defineWorkspaceTrigger({
  type: 'googleworkspace.drive.FileCreatedTrigger',
  title: 'Start when files are created in Google Drive',
  description: `Polls for new files every \`interval\` and starts one execution for all of them. The first poll takes the files of the last interval; later ones those since
the file that was seen last. The content is stored when the scopes allow it, for example with \`https://www.googleapis.com/auth/drive.readonly\`; documents of Google
have no file content.`,
  scopes: [scope('drive.metadata.readonly')],
  interval: 'PT1H',
  properties: {
    folderId: text().optional().describe('Only files of this folder.'),
    mimeTypes: listOf(text()).optional().describe('Only files of these media types.'),
    ownerEmail: text().optional().describe('Only files of this owner.'),
    includeSubfolders: flag().default(false).describe('Also files of the folders below `folderId`.'),
    maxFilesPerPoll: integer({ min: 1 })
      .default(100)
      .describe('The most files of one poll; the others follow with the next one.'),
  },
  output: () =>
    z.object({
      files: z
        .array(
          z.object({
            id: z.string().describe('The id.'),
            name: optional().describe('The name.'),
            mimeType: optional().describe('The media type.'),
            createdTime: z.string().describe('When the file was created.'),
            modifiedTime: optional().describe('When it last changed.'),
            owners: z.array(z.record(z.string(), z.unknown())).describe('Its owners.'),
            parents: z.array(z.string()).describe('The ids of its folders.'),
            size: z.number().optional().describe('The length in bytes.'),
            webViewLink: optional().describe('The address for people.'),
            iconLink: optional().describe('Its icon.'),
            thumbnailLink: optional().describe('Its preview.'),
            kestraFileUri: optional().describe('The content in internal storage.'),
          }),
        )
        .describe('The new files.'),
    }),
  examples: [
    workspaceTriggerExample(
      'googleworkspace.drive.FileCreatedTrigger',
      'Handle CSV files of a folder.',
      'scopes:\n  - https://www.googleapis.com/auth/drive.readonly\nfolderId: 1HuxzpLt1b0111MuKMgy8wAv-m9Myc1E_\nmimeTypes:\n  - text/csv\ninterval: PT5M',
      "{{ trigger.files | jq('.[].name') }}",
    ),
  ],
  async poll(google, input, context) {
    const seen = seenOf(context.memory, input.interval);
    const conditions = [
      `createdTime >= ${quote(seen.since)}`,
      'trashed = false',
      ...(input.mimeTypes?.length
        ? [`(${input.mimeTypes.map((type) => `mimeType = ${quote(type)}`).join(' or ')})`]
        : []),
      ...(input.ownerEmail ? [`${quote(input.ownerEmail)} in owners`] : []),
    ];
    const folders = input.folderId
      ? input.includeSubfolders
        ? await foldersBelow(google, input.folderId)
        : [input.folderId]
      : [];
    const queries =
      folders.length === 0 ? [conditions] : [...folderQueries(folders)].map((each) => [each, ...conditions]);
    const candidates = [];
    for (const each of queries)
      for await (const json of listFiles(google, each.join(' and ')))
        candidates.push({ id: textAt(json, 'id') ?? '', date: textAt(json, 'createdTime') ?? '', json });
    const next = newItems(candidates, seen, input.maxFilesPerPoll);
    const files = [];
    for (const { id, date, json } of next.found) files.push(await toOutput(google, context, id, date, json));
    context.remember(next.seen);
    return files.length === 0 ? undefined : { files };
  },
});

const listFiles = (google: Google, q: string): AsyncGenerator<Json> =>
  google.list(
    {
      url: driveUrl,
      query: {
        q,
        orderBy: 'createdTime',
        fields: `nextPageToken,files(${fields})`,
        pageSize: 1000,
        supportsAllDrives: true,
        includeItemsFromAllDrives: true,
      },
    },
    'files',
  );

async function toOutput(
  google: Google,
  context: TriggerContext,
  id: string,
  createdTime: string,
  json: Json,
) {
  return dropMissing({
    id,
    name: textAt(json, 'name'),
    mimeType: textAt(json, 'mimeType'),
    createdTime,
    modifiedTime: textAt(json, 'modifiedTime'),
    owners: mapsAt(json, 'owners').map((owner) => ({ ...owner })),
    parents: [...textsAt(json, 'parents')],
    size: numberAt(json, 'size'),
    webViewLink: textAt(json, 'webViewLink'),
    iconLink: textAt(json, 'iconLink'),
    thumbnailLink: textAt(json, 'thumbnailLink'),
    kestraFileUri: await download(google, context, id, json),
  });
}

/** The content, unless the file has none or the scopes only allow to see that it exists. */
async function download(
  google: Google,
  context: TriggerContext,
  id: string,
  json: Json,
): Promise<string | undefined> {
  if (textAt(json, 'mimeType')?.startsWith('application/vnd.google-apps.')) return undefined;
  try {
    const response = await google.send({
      url: `${driveUrl}/${segment(id)}`,
      query: { alt: 'media', supportsAllDrives: true },
      headers: { accept: '*/*' },
    });
    return await context.files.put(nameOfUri(textAt(json, 'name') ?? id), response.body);
  } catch (error) {
    if (!(error instanceof GoogleRefused) || ![403, 404].includes(error.status)) throw error;
    await context.log('WARN', `The content of "${textAt(json, 'name')}" is not stored: ${error.message}`);
    return undefined;
  }
}
