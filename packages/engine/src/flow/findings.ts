import type { Issue } from '@millrace/contract';
import { formatPath, type Path } from './path.ts';

/** An issue, and whether it is about the flow as a whole: those are told together as "Invalid Flow: …". */
export type Finding = Issue & { readonly flowLevel?: true };

/** Collects what readers and rules find. The range of each finding comes from the document's positions. */
export class Findings {
  readonly all: Finding[] = [];
  readonly #rangeOf: (path: Path) => Issue['range'];

  constructor(rangeOf: (path: Path) => Issue['range'] = () => undefined) {
    this.#rangeOf = rangeOf;
  }

  error(path: Path, message: string): void {
    this.add('error', path, message);
  }

  /** An error told as part of the one violation of the whole flow. */
  flowError(path: Path, message: string): void {
    const range = this.#rangeOf(path);
    this.all.push({
      severity: 'error',
      path: formatPath(path),
      message,
      ...(range && { range }),
      flowLevel: true,
    });
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

  add(severity: Issue['severity'], path: Path, message: string): void {
    const range = this.#rangeOf(path);
    this.all.push({ severity, path: formatPath(path), message, ...(range && { range }) });
  }
}
