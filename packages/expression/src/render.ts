import { compile } from './compile/compile.ts';
import { Context } from './context.ts';
import { ExpressionError, locateError, MissingError } from './error.ts';
import type { Answer, Host, Variables } from './host.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { isSuspension, Session } from './session.ts';
import { isPlainMap, itemsOf } from './values/kind.ts';
import { mapTexts } from './values/mapTexts.ts';
import { toPlain } from './values/plain.ts';
import { printedText } from './values/text.ts';

export interface RenderOptions {
  readonly limits?: Partial<Limits>;
  /** Renders the output again until it no longer changes; render() and renderOnce() do not exist then. */
  readonly recursive?: boolean;
}

/** Renders a template to text. The result is a promise only if the host returned one. */
export function render(
  source: string,
  variables: Variables,
  host: Host,
  options?: RenderOptions,
): Answer<string> {
  if (!source.includes('{')) return source;
  const session = startSession(variables, host, options);
  return session.run(() => renderOutermost(source, session));
}

/** As `render`, but a template that is exactly one expression keeps its type: number, boolean, list, map, null. */
export function renderTyped(
  source: string,
  variables: Variables,
  host: Host,
  options?: RenderOptions,
): Answer<unknown> {
  if (!source.includes('{')) return source;
  const session = startSession(variables, host, options);
  return session.run(() => {
    const value = evaluate(source, session, null, true);
    return typeof value === 'string' ? stripRaw(value) : guard(source, () => toPlain(value, session));
  });
}

/** Renders every text in a structure, keys included; on colliding keys the first wins. Other values stay. */
export function renderDeep(
  value: unknown,
  variables: Variables,
  host: Host,
  options?: RenderOptions,
): Answer<unknown> {
  const session = startSession(variables, host, options);
  return session.run(() => mapTexts(value, session, (text) => renderOutermost(text, session)));
}

function startSession(variables: Variables, host: Host, options?: RenderOptions): Session {
  const limits = options?.limits ? { ...defaultLimits, ...options.limits } : defaultLimits;
  return new Session(variables, host, limits, options?.recursive ?? false);
}

function renderOutermost(source: string, session: Session): string {
  if (!source.includes('{')) return source;
  const text = session.isRecursive
    ? renderRepeatedly(source, session, null)
    : renderText(source, session, null);
  return stripRaw(text);
}

function renderText(source: string, session: Session, outer: Context | null): string {
  if (!source.includes('{')) return source;
  return evaluate(source, session, outer, false) as string; // text mode returns text
}

function renderRepeatedly(source: string, session: Session, outer: Context | null): string {
  let text = source;
  for (let pass = 0; pass < session.limits.maxPasses; pass++) {
    const next = renderText(text, session, outer);
    if (next === text) return text;
    text = next;
  }
  throw locateError(new ExpressionError('Too many rendering attempts', 'limit'), source, 1);
}

function evaluate(source: string, session: Session, outer: Context | null, typed: boolean): unknown {
  const template = compile(source);
  const context = new Context(session, template, renderInner, outer);
  if (typed) context.parts = [];
  try {
    template.body(context);
    return context.parts ? joinParts(context.parts, session) : context.out;
  } catch (error) {
    if (isSuspension(error)) throw error;
    throw locateError(error, source, context.line);
  }
}

/** Implements `render()` and `renderOnce()` for a text found inside a template. */
function renderInner(source: string, context: Context, recursive: boolean): string {
  const { session } = context;
  try {
    return context.nest(() =>
      recursive ? renderRepeatedly(source, session, context) : renderText(source, session, context),
    );
  } catch (error) {
    // A missing name in the inner template is an error of this call; an outer `??` must not catch it.
    if (error instanceof MissingError) throw new ExpressionError(error.message, 'error', { cause: error });
    throw error;
  }
}

/** One part keeps its type; several scalars become one text. */
function joinParts(parts: readonly unknown[], session: Session): unknown {
  if (parts.length === 0) return null;
  if (parts.length === 1) return parts[0];
  let text = '';
  for (const part of parts) {
    if (itemsOf(part) || isPlainMap(part) || part instanceof Map) {
      throw new ExpressionError('A list or map cannot be mixed with other output in a typed expression');
    }
    text += printedText(part, session);
    session.checkText(text.length);
  }
  return text;
}

/** Sections marked raw keep their tags through all passes, and lose them at the very end. */
function stripRaw(text: string): string {
  if (!text.includes('{%')) return text;
  const open = /\{%-?\s*raw\s*-?%\}/gi;
  const close = /\{%-?\s*endraw\s*-?%\}/gi;
  let stripped = '';
  let position = 0;
  for (let start = open.exec(text); start; start = open.exec(text)) {
    close.lastIndex = open.lastIndex;
    const end = close.exec(text);
    if (!end) break;
    stripped += text.slice(position, start.index) + text.slice(open.lastIndex, end.index);
    position = close.lastIndex;
    open.lastIndex = position;
  }
  return stripped + text.slice(position);
}

function guard<T>(source: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw locateError(error, source, 1);
  }
}
