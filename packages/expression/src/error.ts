/** What went wrong, coarsely: tests and callers branch on it, users read the message. */
export type ExpressionErrorKind = 'syntax' | 'missing' | 'unknown' | 'limit' | 'error';

/** The only error that rendering lets out. `line` and `expression` are filled in where the failure is caught. */
export class ExpressionError extends Error {
  readonly kind: ExpressionErrorKind;
  line: number;
  expression: string;

  constructor(
    message: string,
    kind: ExpressionErrorKind = 'error',
    options?: { line?: number; cause?: unknown },
  ) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ExpressionError';
    this.kind = kind;
    this.line = options?.line ?? 0;
    this.expression = '';
  }
}

/** An unknown variable or attribute: the one failure that `??`, `???`, `default` and `is defined` catch. */
export class MissingError extends ExpressionError {
  readonly attribute: string;

  constructor(attribute: string, line: number) {
    super(`Unable to find \`${attribute}\``, 'missing', { line });
    this.name = 'MissingError';
    this.attribute = attribute;
  }
}

/** Gives an error its place in the template, once; anything foreign becomes an ExpressionError with its cause. */
export function locateError(error: unknown, source: string, line: number): ExpressionError {
  const known = error instanceof ExpressionError ? error : wrapForeign(error);
  if (known.expression !== '') return known;
  known.expression = source;
  if (known.line === 0) known.line = line;
  known.message =
    known.kind === 'missing'
      ? `${known.message} used in the expression \`${source}\` at line ${known.line}`
      : `${known.message} (${source}:${known.line})`;
  return known;
}

function wrapForeign(error: unknown): ExpressionError {
  if (error instanceof RangeError && /call stack/i.test(error.message)) {
    return new ExpressionError('The expression nests too deeply', 'limit', { cause: error });
  }
  const message = error instanceof Error ? error.message : String(error);
  return new ExpressionError(message, 'error', { cause: error });
}
