import { createHash } from 'node:crypto';

const longestCause = 300;

/**
 * The part of an error message that is the same each time: dates, ids, addresses, quoted values and numbers
 * are replaced by placeholders. Only the first line counts, because stack traces differ.
 */
export function normalizeMessage(message: string): string {
  const line = message.trimStart().split('\n', 1)[0] ?? '';
  return line
    .slice(0, 2_000)
    .replace(/\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?/g, '<date>')
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>')
    .replace(/"[^"]*"|`[^`]*`|(?<![\p{L}\d])'[^']*'/gu, '<value>')
    .replace(/\b(?=\w*\d)(?=\w*[a-z])\w{16,}\b/gi, '<id>')
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi, '<id>')
    .replace(/(?<![\p{L}_])[-+]?\d+([.,:]\d+)*/gu, '<number>')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longestCause);
}

/** Executions of one flow that failed in the same task with the same message belong to one group. */
export function failureGroupId(cause: {
  readonly namespace: string;
  readonly flowId: string;
  readonly taskId?: string | undefined;
  readonly normalized: string;
}): string {
  const { namespace, flowId, taskId, normalized } = cause;
  return digest(JSON.stringify([namespace, flowId, taskId ?? '', normalized]));
}

export const digest = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 22);
