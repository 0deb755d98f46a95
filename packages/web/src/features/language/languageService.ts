import type { Issue } from '@millrace/contract';
import { parsePath } from '@millrace/engine';
import {
  complete,
  completeInExecution,
  completeTemplate,
  type ExecutionValues,
  expressionIssues,
  type FlowDocument,
  fixesAt,
  formatFlow,
  hoverAt,
  type LanguageContext,
  outlineOf,
  readDocument,
  rename,
  requiredAt,
  shapesOf,
  signatureHelp,
  symbolAt,
} from '@millrace/engine/language';

/**
 * The language service of one editor. It runs in a worker, so that reading a long flow never holds up typing.
 * Each call brings the whole text; the service keeps only the context and the last flow that could be read.
 */
export function createLanguageService() {
  let context: LanguageContext = { types: [] };
  let last: FlowDocument | undefined;
  let execution: { flow: FlowDocument | undefined; values: ExecutionValues } | undefined;
  const read = (text: string, offset: number): FlowDocument | undefined => {
    if (last?.text === text) last = { ...last, cursor: offset };
    else last = readDocument(text, offset) ?? (last && { ...last, cursor: offset });
    return last;
  };
  /** For changes of the text, which need positions that are exact. */
  const readExactly = (text: string): FlowDocument | undefined => {
    const found = read(text, 0);
    return found?.text === text ? found : undefined;
  };

  return {
    setContext(given: LanguageContext): void {
      context = given;
    },
    check: (text: string): readonly Issue[] => expressionIssues(text, shapesOf(context)),
    complete: (text: string, offset: number) => complete(text, offset, read(text, offset), context),
    /** For a template in a form, which is at a path of the flow. */
    completeTemplate: (text: string, path: string, before: string) => {
      const document = read(text, 0);
      return document ? completeTemplate(before, document, parsePath(path) ?? [], context) : [];
    },
    /** The execution that expressions are written about, and its flow as text. */
    setExecution(values: ExecutionValues, flow: string): void {
      execution = { values, flow: readDocument(flow, 0) };
    },
    completeInExecution: (before: string) =>
      execution ? completeInExecution(before, execution.flow, execution.values) : [],
    signature: (text: string, offset: number) => signatureHelp(text, offset),
    required: (text: string, offset: number) => {
      const document = read(text, offset);
      return document ? requiredAt(document, context) : [];
    },
    hover: (text: string, offset: number) => {
      const document = readExactly(text);
      return document && hoverAt(document, offset, context);
    },
    symbol: (text: string, offset: number) => {
      const document = readExactly(text);
      return document && symbolAt(document, offset);
    },
    rename: (text: string, offset: number, name: string) => {
      const document = readExactly(text);
      return document ? rename(document, offset, name) : ({ refused: 'nothing' } as const);
    },
    fixes: (text: string, span: { start: number; end: number }, issues: readonly Issue[]) => {
      const document = readExactly(text);
      return document ? fixesAt(document, span, issues, context) : [];
    },
    outline: (text: string) => {
      const document = readExactly(text);
      return document ? outlineOf(document) : [];
    },
    format: (text: string) => formatFlow(text),
  };
}

export type LanguageService = ReturnType<typeof createLanguageService>;
