import type { Issue } from '@millrace/contract';
import { formatPath, type Path } from '../path.ts';
import { Lines } from './lines.ts';
import { markOf, pathAtOffset, type Span } from './locate.ts';
import { readYaml } from './readYaml.ts';

export interface YamlDocument {
  /** Absent when the text cannot be read. */
  readonly data?: unknown;
  /** Errors of the text itself. */
  readonly issues: readonly Issue[];
  /** An error about the value at a path, with its position; a missing value is marked at its parent. */
  issueAt(path: Path, message: string): Issue;
}

/** Reads a YAML document that is not a flow, so that problems of its values have positions. Never throws. */
export function readDocument(source: string): YamlDocument {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const lines = new Lines(text);
  const rangeOf = ({ start, end }: Span) => ({
    start: lines.positionOf(start),
    end: lines.positionOf(Math.max(end, start)),
  });
  const reading = readYaml(text);
  if ('problem' in reading) {
    const { message } = reading.problem;
    const issue: Issue = { severity: 'error', path: 'yaml', message, range: rangeOf(reading.problem) };
    return {
      issues: [issue],
      issueAt: (path, about) => ({ severity: 'error', path: formatPath(path), message: about }),
    };
  }
  const { root, data, keyProblems } = reading;
  return {
    data,
    issues: keyProblems.map(({ key, message }) => ({
      severity: 'error',
      path: formatPath(pathAtOffset(root, key.start)),
      message,
      range: rangeOf(key),
    })),
    issueAt: (path, message) => ({
      severity: 'error',
      path: formatPath(path),
      message,
      range: rangeOf(markOf(root, path)),
    }),
  };
}
