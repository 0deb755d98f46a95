import { type FlowValidation, flows, type Issue } from '@millrace/contract';
import type { TFunction } from 'i18next';
import { useEffect, useState } from 'react';
import { call } from '../../api/index.ts';

const PAUSE_MS = 500;

export interface ServerIssues {
  readonly status: 'checking' | 'checked' | 'silent';
  /** The last answer; it may be about a slightly older text. */
  readonly validation?: FlowValidation;
}

/** Asks the server about the text once typing pauses. It knows every plugin, which the browser does not. */
export function useServerIssues(source: string): ServerIssues {
  const [answer, setAnswer] = useState<ServerIssues>({ status: 'checking' });
  useEffect(() => {
    const controller = new AbortController();
    setAnswer((known) => (known.status === 'checking' ? known : { ...known, status: 'checking' }));
    const timer = setTimeout(() => {
      call(flows.validateFlows, { body: source, signal: controller.signal, failures: 'handled' }).then(
        ([validation]) => setAnswer({ status: 'checked', ...(validation && { validation }) }),
        () => {
          if (!controller.signal.aborted) setAnswer({ status: 'silent' });
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [source]);
  return answer;
}

interface Words {
  /** How to say that a path is deprecated. */
  deprecated(path: string): string;
  /** What to underline for a finding at a path. */
  markOf(path: string): Issue['range'];
}

interface Violation {
  readonly path: string;
  readonly message: string;
}

/** The answer of the server as issues. Its text has no positions; a path in it is looked up in the text. */
export function readValidation(validation: FlowValidation, words: Words): Issue[] {
  const issue = (severity: Issue['severity'], path: string, message: string): Issue => {
    const range = path === '' ? undefined : words.markOf(path);
    return { severity, path, message, ...(range && { range }) };
  };
  return [
    ...(validation.violations ?? splitConstraints(validation.constraints ?? ''))
      .flatMap(splitWholeFlow)
      .map(({ path, message }) => issue('error', path, message)),
    ...(validation.deprecationPaths ?? []).map((path) => issue('deprecation', path, words.deprecated(path))),
    ...(validation.warnings ?? []).map((text) => issue('warning', ...splitPath(text))),
    ...(validation.infos ?? []).map((text) => issue('info', ...splitPath(text))),
  ];
}

const step = String.raw`\[\d+\]|\["(?:[^"\\]|\\.)*"\]|\.[\w$-]+`;
const placed = new RegExp(String.raw`^([A-Za-z_][\w$-]*(?:${step})*):\s+(.+)$`, 's');
const wholeFlow = 'Invalid Flow: ';

function splitPath(text: string): [path: string, message: string] {
  const [, path = '', message = text] = placed.exec(text) ?? [];
  return [path, message];
}

/**
 * A server that sends no list joins violations by commas. A sentence may contain commas: where some parts
 * begin with a path, a part that does not belongs to the one before it.
 */
export function splitConstraints(constraints: string): { path: string; message: string }[] {
  const parts = constraints
    .split(/,\s+|\n/)
    .map((part) => part.trim())
    .filter(Boolean);
  const hasPaths = parts.some((part) => placed.test(part));
  const found: { path: string; message: string }[] = [];
  for (const part of parts) {
    const match = placed.exec(part);
    const last = found.at(-1);
    if (match) found.push({ path: match[1]!, message: match[2]! });
    else if (part.startsWith(wholeFlow)) found.push(...splitWholeFlow({ path: '', message: part }));
    else if (hasPaths && last) last.message += `, ${part}`;
    else found.push({ path: '', message: part });
  }
  return found;
}

/** Findings about the flow as a whole arrive together, as "Invalid Flow: a; b". */
function splitWholeFlow(violation: Violation): Violation[] {
  const { path, message } = violation;
  if (!message.startsWith(wholeFlow)) return [violation];
  return message
    .slice(wholeFlow.length)
    .split('; ')
    .map((part) => ({ path, message: part }));
}

/** What the browser found, and of the server's findings those that say something more. */
export function mergeIssues(local: readonly Issue[], remote: readonly Issue[]): Issue[] {
  const added = remote.filter(
    (issue) =>
      !local.some(
        (known) =>
          known.message === issue.message ||
          (known.severity === issue.severity && known.path === issue.path && known.path !== '') ||
          (issue.path === '' && issue.message.includes(known.message)),
      ),
  );
  const lineOf = (issue: Issue) => issue.range?.start.line ?? 0;
  return [...local, ...added].sort(
    (a, b) => severityRank[a.severity] - severityRank[b.severity] || lineOf(a) - lineOf(b),
  );
}

const severityRank: Record<Issue['severity'], number> = { error: 0, warning: 1, deprecation: 2, info: 3 };

const repeated = /Duplicate (task|trigger) id with name \[(.+)\]/;

/** A finding in the words that the product has for it; the server's own words are those that its clients know. */
export function withProductTerms(issue: Issue, t: TFunction): Issue {
  const [, what, ids] = repeated.exec(issue.message) ?? [];
  if (ids === undefined) return issue;
  return {
    ...issue,
    message: t(what === 'task' ? 'editor.taskExists' : 'editor.triggerExists', { id: ids }),
  };
}
