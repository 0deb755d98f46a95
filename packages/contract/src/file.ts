import { z } from 'zod';

/** One entry of a folder listing. Dates are milliseconds since the epoch. */
export const FileAttributes = z.object({
  fileName: z.string(),
  type: z.enum(['File', 'Directory']),
  size: z.number().int(),
  lastModifiedTime: z.number().int(),
  creationTime: z.number().int(),
});
export type FileAttributes = z.infer<typeof FileAttributes>;

export const FileMetas = z.object({ size: z.number().int() });
export type FileMetas = z.infer<typeof FileMetas>;

/** The beginning of a file: rows for LIST, base64 for IMAGE and PDF, text otherwise. */
export const FilePreview = z.object({
  extension: z.string(),
  type: z.enum(['TEXT', 'LIST', 'IMAGE', 'MARKDOWN', 'PDF']),
  content: z.union([z.string(), z.array(z.unknown())]),
  maxLine: z.number().int(),
  truncated: z.boolean(),
});
export type FilePreview = z.infer<typeof FilePreview>;
