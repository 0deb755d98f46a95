import type { Multipart } from '@fastify/multipart';
import { AppError } from '@millrace/contract';
import type { FastifyRequest } from 'fastify';

/** The text fields of a form by name, the last one when a name is repeated, and what its files were taken as. */
export interface Form {
  readonly fields: Readonly<Record<string, string>>;
}

/** A file while it arrives. It must be read to its end, or thrown away. */
export interface FormFile {
  readonly field: string;
  /** As the sender calls it: never a path to write to. */
  readonly fileName: string;
  readonly content: AsyncIterable<Uint8Array>;
  /** Whether the content exceeded the limit; known once the content was read. */
  isTruncated(): boolean;
}

/** Stores a file and returns its field and value; undefined when no field expects it. */
export type TakeFile = (file: FormFile) => Promise<{ id: string; uri: string } | undefined>;

/** Limits of one multipart body: abuse of the form must cost the sender, not the server. */
export const formLimits = {
  fields: 1_000,
  files: 100,
  // A body that exceeds a limit on parts and breaks off makes the parser throw where nothing can catch it.
  parts: Number.POSITIVE_INFINITY,
  headerPairs: 100,
  fieldNameSize: 512,
  fieldSize: 10 * 1_048_576,
  fileSize: 10 * 1_073_741_824,
};

/** Reads a multipart body. A missing body is an empty form, because clients without inputs send none. */
export async function readForm(request: FastifyRequest, take: TakeFile): Promise<Form> {
  const fields: Record<string, string> = Object.create(null);
  if (!request.isMultipart() || request.headers['content-length'] === '0') return { fields };
  await eachPart(request, async (part) => {
    if (part.type === 'file') {
      const { file, fieldname: field, filename: fileName } = part;
      const taken = await take({ field, fileName, content: file, isTruncated: () => file.truncated });
      if (taken) fields[taken.id] = taken.uri;
      file.resume();
    } else if (part.fieldnameTruncated || part.valueTruncated) {
      throw new AppError('illegal-argument', `the form field "${part.fieldname.slice(0, 100)}" is too large`);
    } else {
      fields[part.fieldname] = String(part.value);
    }
  });
  return { fields };
}

/**
 * Reads a multipart body part by part. A body that is not a form is the sender's mistake, wherever it breaks: at its
 * boundary, between two parts, or inside a file that is being stored.
 */
export async function eachPart(
  request: FastifyRequest,
  use: (part: Multipart) => Promise<void>,
): Promise<void> {
  const broken = new Set<unknown>();
  const next = async (parts: AsyncIterator<Multipart>) => {
    try {
      return await parts.next();
    } catch (error) {
      broken.add(error);
      throw error;
    }
  };
  try {
    const parts = openParts(request, broken);
    for (let part = await next(parts); !part.done; part = await next(parts)) {
      await usePart(part.value, use, broken);
    }
  } catch (cause) {
    // The limits of the multipart parser carry a status.
    if (!broken.has(cause) || (cause instanceof Error && 'statusCode' in cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError('bad-request', `the body is not a form: ${reason}`, { cause });
  }
}

/** A file may fail before its part is used, so `errored` is checked instead of the error event. */
async function usePart(
  part: Multipart,
  use: (part: Multipart) => Promise<void>,
  broken: Set<unknown>,
): Promise<void> {
  if (part.type !== 'file') return use(part);
  part.file.on('error', () => {});
  try {
    await use(part);
  } catch (error) {
    if (part.file.errored) broken.add(error);
    throw error;
  }
}

/** A missing boundary is found before the first part. */
function openParts(request: FastifyRequest, broken: Set<unknown>): AsyncIterator<Multipart> {
  try {
    return request.parts();
  } catch (error) {
    broken.add(error);
    throw error;
  }
}
