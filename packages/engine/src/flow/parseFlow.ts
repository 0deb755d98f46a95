import type { Flow, Issue, PluginDefault } from '@millrace/contract';
import type { Catalogue } from '../catalogue.ts';
import type { ShapeOf } from '../check/checkContext.ts';
import { checkExpressions } from '../check/checkExpressions.ts';
import { flowModel } from '../check/flowTemplates.ts';
import { type Finding, Findings } from './findings.ts';
import { formatPath, type Path, parsePath } from './path.ts';
import { isData, quote } from './read/fields.ts';
import { readFlow } from './read/readFlow.ts';
import { validateFlow } from './validateFlow.ts';
import { keepWrittenTexts } from './writtenTexts.ts';
import { Lines } from './yaml/lines.ts';
import { markOf, pathAtOffset, type Span, spanOf } from './yaml/locate.ts';
import { readYaml } from './yaml/readYaml.ts';

export type Range = NonNullable<Issue['range']>;

export interface ParsedFlow {
  /** The readable part of the flow; absent when the text is not a YAML map. Do not save it with errors. */
  readonly flow?: Flow;
  readonly issues: readonly Finding[];
  /** The `revision:` of the text. It is never part of the flow. */
  readonly sourceRevision?: number;
  /** Where the value at a path such as `tasks[0].id` is written. */
  rangeOf(path: string): Range | undefined;
  /** The range to underline for a finding; for a missing value that of its task or property. */
  markOf(path: string): Range | undefined;
  /** The path of the value at a position; an empty path is the document itself. */
  pathAt(line: number, column: number): string | undefined;
}

export interface ParseOptions {
  /** Plugin defaults of the server's configuration, weaker than the flow's own. */
  readonly globalDefaults?: readonly PluginDefault[];
  /** Checks the expressions as well, with these shapes of types. */
  readonly expressions?: ShapeOf;
}

/** A message without the place that it ends with: in a file of several flows, the line of the file stands before it. */
export const withoutPlace = (message: string): string => message.replace(/ at line \d+ column \d+$/, '');

/**
 * Reads the YAML text of a flow and finds all its errors. Never throws. Without a catalogue the types of
 * tasks and triggers are not checked; the editor uses that between two responses of the server.
 */
export function parseFlow(source: string, catalogue?: Catalogue, options: ParseOptions = {}): ParsedFlow {
  // A byte-order mark is not content; editors do not count it as a column either.
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  const lines = new Lines(text);
  const rangeOfSpan = (span: Span): Range => ({
    start: lines.positionOf(span.start),
    end: lines.positionOf(Math.max(span.end, span.start)),
  });

  const reading = readYaml(text);
  if ('problem' in reading) {
    const { message, start, end } = reading.problem;
    const range = rangeOfSpan({ start, end });
    const at = `at line ${range.start.line} column ${range.start.column}`;
    return unreadable({ severity: 'error', path: 'yaml', message: `${message} ${at}`, range });
  }

  const { root, data } = reading;
  if (catalogue) keepWrittenTexts(root, data, catalogue);
  const findings = new Findings((path) => rangeOfSpan(markOf(root, path)), rangeOfSpan);
  for (const { key, message } of reading.keyProblems) {
    const path = formatPath(pathAtOffset(root, key.start));
    findings.all.push({ severity: 'error', path, message, range: rangeOfSpan(key) });
  }
  const places = {
    markOf: (path: string): Range => rangeOfSpan(markOf(root, parsePath(path) ?? [])),
    rangeOf: (path: string): Range | undefined => {
      const span = spanOf(root, parsePath(path) ?? []);
      return span && rangeOfSpan(span);
    },
    pathAt: (line: number, column: number): string | undefined => {
      const path: Path = pathAtOffset(root, lines.offsetOf({ line, column }));
      return formatPath(path);
    },
  };
  if (!isData(data)) {
    findings.error(
      [],
      data === null ? 'The document is empty' : `${quote(data)} is not a flow; expected a map`,
    );
    return { issues: findings.all, ...places };
  }
  const { flow, sourceRevision } = readFlow(data, findings);
  validateFlow(flow, findings, { ...options, ...(catalogue && { catalogue }) });
  if (options.expressions) checkExpressions(flowModel(text, root, flow), options.expressions, findings);
  return {
    flow,
    issues: findings.all,
    ...(sourceRevision !== undefined && { sourceRevision }),
    ...places,
  };
}

const unreadable = (issue: Issue): ParsedFlow => ({
  issues: [issue],
  rangeOf: () => undefined,
  markOf: () => undefined,
  pathAt: () => undefined,
});
