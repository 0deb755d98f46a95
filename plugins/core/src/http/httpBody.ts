import { randomUUID } from 'node:crypto';
import type { OutboundRequest, TaskContext } from '@millrace/plugin-kit';
import { isStorageUri, nameOfUri } from '@millrace/plugin-kit';
import type { HttpInput } from './httpProperties.ts';

export interface HttpBody {
  readonly contentType?: string;
  readonly body?: NonNullable<OutboundRequest['body']>;
}

/** The source of a form's files. */
export interface BodyContext {
  readonly files: Pick<TaskContext['files'], 'read'>;
}

/** The body of a request: as written, as a form, or as a form with files. */
export function toBody(context: BodyContext, { body, formData, contentType }: HttpInput): HttpBody {
  if (formData && contentType?.toLowerCase().startsWith('multipart/form-data'))
    return toMultipart(context, formData);
  if (formData) {
    const form = new URLSearchParams(
      Object.entries(formData).map(([name, value]): [string, string] => [name, toText(value)]),
    );
    return { contentType: 'application/x-www-form-urlencoded', body: form.toString() };
  }
  return body === undefined ? {} : { body, contentType: contentType ?? 'application/json' };
}

function toMultipart(context: BodyContext, formData: Readonly<Record<string, unknown>>): HttpBody {
  const boundary = `millrace-${randomUUID()}`;
  async function* parts(): AsyncIterable<Uint8Array> {
    for (const [name, value] of Object.entries(formData)) {
      const file = toFile(value);
      const fileName = file
        ? `; filename="${escapeName(file.name)}"\r\nContent-Type: application/octet-stream`
        : '';
      yield Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${escapeName(name)}"${fileName}\r\n\r\n`,
      );
      if (file?.uri !== undefined) yield* await context.files.read(file.uri);
      else yield Buffer.from(toText(value));
      yield Buffer.from('\r\n');
    }
    yield Buffer.from(`--${boundary}--\r\n`);
  }
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: parts() };
}

/** A form file: a stored file under its own name, or a stored file or text with a name set in the form. */
function toFile(value: unknown): { readonly uri?: string; readonly name: string } | undefined {
  if (typeof value === 'string')
    return isStorageUri(value) ? { uri: value, name: nameOfUri(value) } : undefined;
  if (typeof value !== 'object' || value === null || !('content' in value)) return undefined;
  const { content, name } = value as { content: unknown; name?: unknown };
  if (typeof content === 'string' && isStorageUri(content))
    return { uri: content, name: typeof name === 'string' ? name : nameOfUri(content) };
  return typeof name === 'string' ? { name } : undefined;
}

/** Escapes names as browsers do: no character can end the line or the quotes. */
const escapeName = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

function toText(value: unknown): string {
  if (typeof value === 'object' && value !== null)
    return 'content' in value ? String(value.content) : JSON.stringify(value);
  return String(value ?? '');
}
