import type { Issue } from '@millrace/contract';
import { formatPath, type Path } from './path.ts';
import type { Span } from './yaml/locate.ts';

export type Finding = Issue & {
  /** About the flow as a whole; these findings are reported together as "Invalid Flow: …". */
  readonly flowLevel?: true;
  /** The type that no plugin provides, when that is the error. */
  readonly unknownType?: string;
};

/** Caps the findings of one severity, because a hostile text has a million. */
const maxOfKind = 500;

/** Collects the findings of readers and rules. The range of each comes from the document's positions. */
export class Findings {
  readonly all: Finding[] = [];
  readonly #rangeOf: (path: Path) => Issue['range'];
  readonly #seen = new Set<string>();
  readonly #rangeAt: (span: Span) => Issue['range'];
  readonly #counts: Record<Issue['severity'], number> = { error: 0, warning: 0, info: 0, deprecation: 0 };

  constructor(
    rangeOf: (path: Path) => Issue['range'] = () => undefined,
    rangeAt: (span: Span) => Issue['range'] = () => undefined,
  ) {
    this.#rangeOf = rangeOf;
    this.#rangeAt = rangeAt;
  }

  error(path: Path, message: string): void {
    this.add('error', path, message);
  }

  /** An error that is part of the single violation of the whole flow. */
  flowError(path: Path, message: string): void {
    this.add('error', path, message, { flowLevel: true });
  }

  warning(path: Path, message: string): void {
    this.add('warning', path, message);
  }

  info(path: Path, message: string): void {
    this.add('info', path, message);
  }

  deprecation(path: Path, message: string): void {
    this.add('deprecation', path, message);
  }

  add(
    severity: Issue['severity'],
    path: Path,
    message: string,
    more: Pick<Finding, 'flowLevel' | 'unknownType'> = {},
  ): void {
    const finding = { severity, path: formatPath(path), message, ...more };
    const key = `${severity} ${finding.path} ${message}`;
    // A reader and a rule may find the same.
    if (this.#seen.has(key)) return;
    this.#push(finding, () => this.#rangeOf(path));
    if (this.#counts[severity] <= maxOfKind) this.#seen.add(key);
  }

  /** A finding about a part of the value at a path. */
  addAt(severity: Issue['severity'], path: Path, message: string, span: Span): void {
    this.#push({ severity, path: formatPath(path), message }, () => this.#rangeAt(span));
  }

  #push(finding: Finding, rangeOf: () => Issue['range']): void {
    this.#counts[finding.severity] += 1;
    if (this.#counts[finding.severity] > maxOfKind) return;
    const range = rangeOf();
    this.all.push({ ...finding, ...(range && { range }) });
  }
}

/** The types that no plugin provides, when there are no other errors; otherwise undefined. */
export function onlyUnknownTypes(issues: readonly Finding[]): readonly string[] | undefined {
  const errors = issues.filter(({ severity }) => severity === 'error');
  const types = errors.flatMap(({ unknownType }) => unknownType ?? []);
  return types.length > 0 && types.length === errors.length ? [...new Set(types)] : undefined;
}
