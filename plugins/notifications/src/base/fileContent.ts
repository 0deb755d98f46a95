import { isStorageUri, type TaskContext, TaskFailed } from '@millrace/plugin-kit';

/** The bytes of a stored file, for services that accept files inside a request. */
export async function readFile(
  { files }: Pick<TaskContext, 'files'>,
  uri: string,
  maxBytes: number,
): Promise<Buffer> {
  if (!isStorageUri(uri))
    throw new TaskFailed(
      `"${uri}" is not a file of internal storage; expected a URI such as {{ outputs.task.uri }}.`,
      {
        retry: false,
      },
    );
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of await files.read(uri)) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes)
      throw new TaskFailed(
        `The file ${uri} is larger than ${maxBytes} bytes, which is the most that can be attached.`,
        {
          retry: false,
        },
      );
  }
  return Buffer.concat(chunks);
}
