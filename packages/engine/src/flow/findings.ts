import type { Issue } from '@millrace/contract';
import { formatPath, type Path } from './path.ts';

/** An issue, and whether it is about the flow as a whole: those are told together as "Invalid Flow: …". */
export type Finding = Issue & { readonly flowLevel?: true };

/** Nobody reads more of one kind, and a hostile text has a million. */
const maxOfKind = 500;

/** Collects what readers and rules find. The range of each finding comes from the document's positions. */
export class Findings {
  readonly all: Finding[] = [];
  readonly #rangeOf: (path: Path) => Issue['range'];
  readonly #counts: Record<Issue['severity'], number> = { error: 0, warning: 0, info: 0, deprecation: 0 };

  constructor(rangeOf: (path: Path) => Issue['range'] = () => undefined) {
    this.#rangeOf = rangeOf;
  }

  error(path: Path, message: string): void {
    this.add('error', path, message);
  }

  /** An error told as part of the one violation of the whole flow. */
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

  add(severity: Issue['severity'], path: Path, message: string, more: Pick<Finding, 'flowLevel'> = {}): void {
    this.#counts[severity] += 1;
    if (this.#counts[severity] > maxOfKind) return;
    const range = this.#rangeOf(path);
    this.all.push({ severity, path: formatPath(path), message, ...(range && { range }), ...more });
  }
}
