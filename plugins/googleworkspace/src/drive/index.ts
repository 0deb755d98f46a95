import {
  count,
  counter,
  dropMissing,
  fileInput,
  flagAt,
  type Google,
  type Json,
  numberAt,
  segment,
  textAt,
  textsAt,
  uploadResumable,
} from '@millrace/plugin-gcp/google';
import {
  choice,
  type Definition,
  listOf,
  nameOfUri,
  type TaskContext,
  TaskFailed,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { defineWorkspaceTask, scope, workspaceExample } from '../workspace.ts';
import { driveUrl } from './files.ts';
import { fileCreatedTrigger } from './trigger.ts';

const uploadUrl = 'https://www.googleapis.com/upload/drive/v3/files';
const drive = scope('drive');

const fields = 'id,name,size,version,mimeType,createdTime,parents,trashed';
/** Files of shared drives count like others. */
const everywhere = { supportsAllDrives: true } as const;

const fileOutput = z.object({
  id: z.string().describe('The id.'),
  name: z.string().optional().describe('The name.'),
  size: z.number().optional().describe('The length in bytes; absent for documents of Google.'),
  version: z.number().optional().describe('Grows with every change.'),
  mimeType: z.string().optional().describe('The media type.'),
  createdTime: z.string().optional().describe('When the file was created.'),
  parents: z.array(z.string()).optional().describe('The ids of its folders.'),
  trashed: z.boolean().optional().describe('Whether it is in the trash.'),
});

const toFile = (json: Json): z.infer<typeof fileOutput> =>
  dropMissing({
    id: textAt(json, 'id') ?? '',
    name: textAt(json, 'name'),
    size: numberAt(json, 'size'),
    version: numberAt(json, 'version'),
    mimeType: textAt(json, 'mimeType'),
    createdTime: textAt(json, 'createdTime'),
    parents: json.parents === undefined ? undefined : [...textsAt(json, 'parents')],
    trashed: flagAt(json, 'trashed'),
  });

const createProperties = {
  name: text().optional().describe('The name.'),
  parents: listOf(text()).optional().describe('The ids of the folders; the root of the account when absent.'),
  description: text().optional().describe('A description of the file.'),
  mimeType: text()
    .optional()
    .describe(
      'The media type in Drive; with one of Google, such as `application/vnd.google-apps.spreadsheet`, the content is converted.',
    ),
  teamDriveId: text().optional().describe('The id of the shared drive.'),
};
type CreateInput = z.infer<z.ZodObject<typeof createProperties>>;

const toMetadata = ({ name, parents, description, mimeType, teamDriveId }: CreateInput): Json =>
  dropMissing({
    name,
    parents: parents ?? (teamDriveId === undefined ? undefined : [teamDriveId]),
    description,
    mimeType,
    driveId: teamDriveId,
  });

const fileIdProperty = () => text().describe('The id of the file.');
const sizes = [counter('size', 'The length in bytes.')];
const oneFile = () => z.object({ file: fileOutput.describe('The file.') });

const create = defineWorkspaceTask({
  type: 'googleworkspace.drive.Create',
  title: 'Create a file or folder in Google Drive',
  description:
    'Creates a file without content, or a folder with `mimeType: application/vnd.google-apps.folder`.',
  scopes: [drive],
  properties: createProperties,
  output: oneFile,
  examples: [
    workspaceExample(
      'googleworkspace.drive.Create',
      'Create a folder.',
      'name: Reports\nmimeType: application/vnd.google-apps.folder',
    ),
  ],
  async run(google, input) {
    return { file: toFile(await google.post(driveUrl, toMetadata(input), { fields, ...everywhere })) };
  },
});

const upload = defineWorkspaceTask({
  type: 'googleworkspace.drive.Upload',
  title: 'Upload a file to Google Drive',
  description:
    'Creates a file from one of internal storage, whatever its size, or replaces the content of the file `fileId`.',
  scopes: [drive],
  properties: {
    ...createProperties,
    from: text().describe('The file in internal storage.'),
    fileId: fileIdProperty().optional(),
    contentType: text().describe('The media type of the content, such as `text/csv`.'),
  },
  output: oneFile,
  metrics: sizes,
  examples: [
    workspaceExample(
      'googleworkspace.drive.Upload',
      'Upload a CSV file as a spreadsheet.',
      'from: "{{ inputs.file }}"\nname: Orders\nparents:\n  - 1HuxzpLt1b0111MuKMgy8wAv-m9Myc1E_\ncontentType: text/csv\nmimeType: application/vnd.google-apps.spreadsheet',
      { inputs: fileInput },
    ),
  ],
  async run(google, input, context) {
    const { fileId, parents, from, contentType } = input;
    const { parents: _, driveId: __, ...change } = toMetadata(input);
    const json = await uploadResumable(google, {
      url: fileId ? `${uploadUrl}/${segment(fileId)}` : uploadUrl,
      method: fileId ? 'PATCH' : 'POST',
      query: {
        fields,
        supportsAllDrives: 'true',
        ...(fileId && parents && { addParents: parents.join(',') }),
      },
      metadata: fileId ? change : toMetadata(input),
      contentType,
      content: await context.files.read(from),
    });
    count(context, { size: numberAt(json, 'size') });
    return { file: toFile(json) };
  },
});

/** Stores the content of a response under the name of the file. */
async function store(
  google: Google,
  context: TaskContext,
  file: z.infer<typeof fileOutput>,
  url: string,
  query: Record<string, string | boolean>,
) {
  const response = await google.send({ url, query, headers: { accept: '*/*' } });
  const uri = await context.files.put(nameOfUri(file.name ?? file.id), response.body);
  count(context, { size: await context.files.sizeOf(uri) });
  return { uri, file };
}

const findFile = async (google: Google, fileId: string) =>
  toFile(await google.get(`${driveUrl}/${segment(fileId)}`, { fields, ...everywhere }));

const storedOutput = () =>
  z.object({
    uri: z.string().describe('The file in internal storage.'),
    file: fileOutput.describe('The file in Drive.'),
  });

const download = defineWorkspaceTask({
  type: 'googleworkspace.drive.Download',
  title: 'Download a file from Google Drive',
  description:
    'Copies a file to internal storage. Documents of Google have no file content: use `Export` for them.',
  scopes: [drive],
  properties: { fileId: fileIdProperty() },
  output: storedOutput,
  metrics: sizes,
  examples: [
    workspaceExample(
      'googleworkspace.drive.Download',
      'Download a file.',
      'fileId: 1Dkd3W0OQo-wxz1rrORLP7YGSj6EBLEg74fiTdbJUIQE',
    ),
  ],
  async run(google, { fileId }, context) {
    const file = await findFile(google, fileId);
    if (file.mimeType?.startsWith('application/vnd.google-apps.'))
      throw new TaskFailed(
        `The file "${file.name}" is a document of Google. Use googleworkspace.drive.Export.`,
        { retry: false },
      );
    return store(google, context, file, `${driveUrl}/${segment(fileId)}`, { alt: 'media', ...everywhere });
  },
});

const exportFile = defineWorkspaceTask({
  type: 'googleworkspace.drive.Export',
  title: 'Export a document of Google Drive',
  description:
    'Converts a document, sheet or presentation of Google to another format and stores it. Google exports at most 10 MB.',
  scopes: [drive],
  properties: {
    fileId: fileIdProperty(),
    contentType: text().describe('The media type of the export, such as `application/pdf` or `text/csv`.'),
  },
  output: storedOutput,
  metrics: sizes,
  examples: [
    workspaceExample(
      'googleworkspace.drive.Export',
      'Export a document as PDF.',
      'fileId: 1Dkd3W0OQo-wxz1rrORLP7YGSj6EBLEg74fiTdbJUIQE\ncontentType: application/pdf',
    ),
  ],
  async run(google, { fileId, contentType }, context) {
    const file = await findFile(google, fileId);
    return store(google, context, file, `${driveUrl}/${segment(fileId)}/export`, { mimeType: contentType });
  },
});

const corpora = { user: 'user', domain: 'domain', teamDrive: 'drive', allTeamDrives: 'allDrives' } as const;

const list = defineWorkspaceTask({
  type: 'googleworkspace.drive.List',
  title: 'List files in Google Drive',
  description:
    'Lists the files that match a [query](https://developers.google.com/workspace/drive/api/guides/search-files), over all pages.',
  scopes: [drive],
  properties: {
    query: text().optional().describe("The query, such as `mimeType = 'text/csv' and trashed = false`."),
    corpora: listOf(choice(['user', 'domain', 'teamDrive', 'allTeamDrives']))
      .optional()
      .describe(
        'Where to look: in the files of the account, of the domain, or of shared drives. The first one counts.',
      ),
  },
  output: () => z.object({ files: z.array(fileOutput).describe('The files.') }),
  metrics: [counter('size', 'How many files were found.')],
  examples: [
    workspaceExample(
      'googleworkspace.drive.List',
      'List the files of a folder.',
      `query: "'1HuxzpLt1b0111MuKMgy8wAv-m9Myc1E_' in parents and trashed = false"`,
    ),
  ],
  async run(google, input, context) {
    const [place] = input.corpora ?? [];
    const query = {
      q: input.query,
      corpora: place && corpora[place],
      fields: `nextPageToken,files(${fields})`,
      pageSize: 1000,
      includeItemsFromAllDrives: true,
      ...everywhere,
    };
    const files = [];
    for await (const each of google.list({ url: driveUrl, query }, 'files')) files.push(toFile(each));
    count(context, { size: files.length });
    return { files };
  },
});

const remove = defineWorkspaceTask({
  type: 'googleworkspace.drive.Delete',
  title: 'Delete a file in Google Drive',
  description: 'Deletes a file permanently, without the trash. Deleting a folder deletes all that is in it.',
  scopes: [drive],
  properties: { fileId: fileIdProperty().optional() },
  output: () => z.object({ fileId: z.string().describe('The id of the file.') }),
  examples: [
    workspaceExample(
      'googleworkspace.drive.Delete',
      'Delete a file.',
      'fileId: 1Dkd3W0OQo-wxz1rrORLP7YGSj6EBLEg74fiTdbJUIQE',
    ),
  ],
  async run(google, { fileId }) {
    if (!fileId) throw new TaskFailed('"fileId" must be given.', { retry: false });
    await google.json({ url: `${driveUrl}/${segment(fileId)}`, method: 'DELETE', query: everywhere });
    return { fileId };
  },
});

export const driveTypes: readonly Definition[] = [
  create,
  upload,
  download,
  exportFile,
  list,
  remove,
  fileCreatedTrigger,
];
