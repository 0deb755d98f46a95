import { AppError } from '@millrace/contract';
import type { FastifyRequest } from 'fastify';

/** The text fields of a form by name; the last one wins when a name is repeated. */
export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  /** Names of the inputs that came as files. */
  readonly files: readonly string[];
}

/** Limits of one multipart body: abuse of the form must cost the sender, not the server. */
export const formLimits = {
  fields: 1_000,
  files: 100,
  parts: 1_100,
  headerPairs: 100,
  fieldNameSize: 512,
  fieldSize: 10 * 1_048_576,
  fileSize: 10 * 1_073_741_824,
};

/** Reads the fields of a multipart body. No body at all is an empty form: clients without inputs send none. */
export async function readForm(request: FastifyRequest): Promise<Form> {
  const fields: Record<string, string> = Object.create(null);
  const files: string[] = [];
  if (!request.isMultipart() || request.headers['content-length'] === '0') return { fields, files };
  try {
    await readParts(request, fields, files);
  } catch (cause) {
    // The multipart parser's own limits carry a status; what is left is a body that is not a form.
    if (cause instanceof AppError || (cause instanceof Error && 'statusCode' in cause)) throw cause;
    throw new AppError('bad-request', `the body is not a form: ${String(cause)}`, { cause });
  }
  return { fields, files };
}

async function readParts(
  request: FastifyRequest,
  fields: Record<string, string>,
  files: string[],
): Promise<void> {
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      part.file.resume();
      // The older style calls every file part "files" and puts the input's id into the file name.
      files.push(part.fieldname === 'files' ? part.filename : part.fieldname);
    } else if (part.fieldnameTruncated || part.valueTruncated) {
      throw new AppError('illegal-argument', `the form field "${part.fieldname.slice(0, 100)}" is too large`);
    } else {
      fields[part.fieldname] = String(part.value);
    }
  }
}
