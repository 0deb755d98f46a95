import { isStorageUri, type JsonMap, nameOfUri, type TaskContext, TaskFailed } from '@millrace/plugin-kit';

/** The maximum size of an inline attachment in Microsoft Graph. */
const maxBytes = 3 * 1024 * 1024;

/** Stored files as attachments of a message: a list of URIs, one URI, or the JSON text of a list. */
export async function attachmentsOf(
  context: Pick<TaskContext, 'files'>,
  written: unknown,
): Promise<JsonMap[]> {
  const attachments: JsonMap[] = [];
  let bytes = 0;
  for (const uri of urisIn(written)) {
    if (!isStorageUri(uri))
      throw new TaskFailed(`"${uri}" is not a file of internal storage.`, { retry: false });
    const chunks: Uint8Array[] = [];
    for await (const chunk of await context.files.read(uri)) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > maxBytes)
        throw new TaskFailed(
          'The attachments are larger than 3 MB together; put them into OneDrive and send a link.',
          {
            retry: false,
          },
        );
    }
    attachments.push({
      '@odata.type': '#microsoft.graph.fileAttachment',
      name: nameOfUri(uri),
      contentType: 'application/octet-stream',
      contentBytes: Buffer.concat(chunks).toString('base64'),
    });
  }
  return attachments;
}

function urisIn(written: unknown): string[] {
  if (Array.isArray(written)) return written.map(String);
  if (typeof written !== 'string' || written === '') return [];
  return written.startsWith('[') ? (JSON.parse(written) as unknown[]).map(String) : [written]; // a list of texts
}
