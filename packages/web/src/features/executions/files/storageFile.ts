import { executionFiles } from '@millrace/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';

/** Whether a value is the address of a file in internal storage, under its present or its older name. */
export const isStorageUri = (value: unknown): value is string =>
  typeof value === 'string' && /^(millrace|kestra):\/\/\//.test(value);

/** The name that the task gave the file, without the hash of its path that makes it unique in the storage. */
export const fileNameOf = (uri: string): string =>
  uri.slice(uri.lastIndexOf('/') + 1).replace(/^[0-9a-f]{16}-(?=.)/, '');

/** What the text of a file may be written in. */
export const encodings = [
  'UTF-8',
  'ISO-8859-1',
  'Windows-1250',
  'Windows-1251',
  'Windows-1252',
  'UTF-16',
] as const;

/** How many rows may be asked for, up to what the server allows. */
export const rowChoices = (most: number): number[] => {
  const usual = [10, 25, 50, 100, 500, 1_000, 5_000, 10_000, 25_000, 50_000].filter((rows) => rows < most);
  return [...usual, most];
};

interface PreviewOptions {
  readonly maxRows: number;
  readonly encoding: string;
}

export const previewQuery = (executionId: string, path: string, { maxRows, encoding }: PreviewOptions) =>
  queryOptions({
    queryKey: ['executionFile', currentTenant(), executionId, path, 'preview', maxRows, encoding],
    queryFn: ({ signal }) =>
      call(executionFiles.previewExecutionFile, {
        params: { executionId },
        query: { path, maxRows, encoding },
        signal,
        failures: 'handled',
      }),
  });

export const fileSizeQuery = (executionId: string, path: string) =>
  queryOptions({
    queryKey: ['executionFile', currentTenant(), executionId, path, 'size'],
    queryFn: ({ signal }) =>
      call(executionFiles.getExecutionFileMetas, {
        params: { executionId },
        query: { path },
        signal,
        failures: 'handled',
      }),
    // A file is never written again.
    staleTime: Number.POSITIVE_INFINITY,
  });
