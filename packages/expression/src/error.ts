/** The kind of error: tests and callers branch on it, users read the message. */
export type ExpressionErrorKind = 'syntax' | 'missing' | 'unknown' | 'limit' | 'error';

/** The only error that rendering throws. The catching code fills in `line` and `expression`. */
export class ExpressionError extends Error {
  readonly kind: ExpressionErrorKind;
  line: number;
  /** Where in the template the syntax error is, if known. */
  readonly offset: number | undefined;
  expression: string;

  constructor(
    message: string,
    kind: ExpressionErrorKind = 'error',
    options?: { line?: number; offset?: number; cause?: unknown },
  ) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ExpressionError';
    this.kind = kind;
    this.line = options?.line ?? 0;
    this.offset = options?.offset;
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

/** Adds the position in the template to an error, once; wraps other errors in an ExpressionError. */
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
