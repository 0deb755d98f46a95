import type { Issue } from '@millrace/contract';
import { formatPath, type Path, readYaml } from '@millrace/engine';
import type { TFunction } from 'i18next';
import { useMemo, useRef } from 'react';
import type { TextHistory } from '../../../state/useTextHistory.ts';
import { confirm } from '../../../ui/index.ts';
import { language } from '../../language/index.ts';
import type { FormHost } from '../FormHost.ts';
import { asSchema, type Schema, typeSchema } from '../schema/schema.ts';
import { usersOf } from '../schema/usersOf.ts';
import { isMap } from '../source/edit.ts';
import { editSource } from '../source/editSource.ts';

/** The server's schema of flows, or how to ask for it again. */
export interface AskedSchema {
  readonly data: Record<string, unknown> | undefined;
  readonly error: Error | null;
  refetch(): unknown;
  readType(type: string): Promise<Schema | undefined>;
}

interface HostParts {
  readonly read: ReadSource;
  readonly history: Pick<TextHistory, 'latest' | 'write'>;
  readonly issues: readonly Issue[];
  readonly schema: AskedSchema;
  /** Where the element of the form is, for the completion of its expressions. */
  readonly path: Path;
  readonly isReadOnly: boolean;
  readonly isSaved: boolean;
  open(path: Path): void;
  readonly onComplete: (() => void) | undefined;
  readonly t: TFunction;
}

/** What the forms of a flow work with: every change is a change of its text. */
export function formHostOf({
  read,
  history,
  issues,
  schema,
  path: opened,
  isReadOnly,
  isSaved,
  open,
  onComplete,
  t,
}: HostParts): FormHost {
  const definitions = asSchema(schema.data?.definitions);
  return {
    definitions,
    readType: async (place, type) =>
      typeSchema(definitions, place, type) ?? (await schema.readType(type)) ?? {},
    data: read.data,
    isReadOnly,
    isSaved,
    edit: (change) => {
      const isRemoval = change.kind === 'set' && change.value === undefined;
      const isValue = change.kind === 'set' && !isRemoval;
      const write = () =>
        history.write(editSource(history.latest(), change), isValue ? formatPath(change.path) : '');
      const { used, by } = isRemoval ? usersOf(read.data, change.path) : { used: [], by: [] };
      if (by.length === 0) return write();
      void confirm({
        title: t('noCode.removeUsedTitle', { id: used.join(', ') }),
        body: t('noCode.removeUsed', { id: used.join(', '), by: by.join(', ') }),
        confirm: t('action.delete'),
        cancel: t('action.cancel'),
        dangerous: true,
      }).then((agreed) => agreed && write());
    },
    open,
    prepareCompletion: () => onComplete?.(),
    complete: (before) => language.completeTemplate(history.latest(), formatPath(opened), before),
    findingAt: (path) => {
      const wanted = formatPath(path);
      const here = issues.filter((issue) => issue.path === wanted);
      for (const severity of ['error', 'warning'] as const) {
        const messages = here.filter((issue) => issue.severity === severity).map(({ message }) => message);
        if (messages.length > 0) return { severity, message: [...new Set(messages)].join('\n') };
      }
      return undefined;
    },
  };
}

export interface ReadSource {
  readonly data: unknown;
  readonly problem: string | undefined;
}

/** What the text says. One that cannot be read leaves the last good reading in sight. */
export function useReadFlow(source: string): ReadSource {
  const lastGood = useRef<unknown>({});
  return useMemo(() => {
    const reading = readYaml(source);
    const line = (at: number) => source.slice(0, at).split('\n').length;
    if ('problem' in reading) {
      const { message, start } = reading.problem;
      return { data: lastGood.current, problem: `${message} (${line(start)})` };
    }
    const data = reading.data ?? {};
    if (!isMap(data)) return { data: lastGood.current, problem: JSON.stringify(data).slice(0, 80) };
    // A cache, not state: the same text gives the same data whatever was read before.
    lastGood.current = data;
    const [duplicate] = reading.keyProblems;
    return { data, problem: duplicate && `${duplicate.message} (${line(duplicate.key.start)})` };
  }, [source]);
}

/** Where the task or trigger of that id stands. Inputs and outputs have ids too, and none of them is a task. */
export function findElement(data: unknown, id: string): Path | undefined {
  const parts = ['tasks', 'triggers', 'errors', 'finally', 'afterExecution', 'listeners'];
  for (const part of isMap(data) ? parts : []) {
    const found = findBelow((data as Record<string, unknown>)[part], id, [part]);
    if (found) return found;
  }
  return undefined;
}

function findBelow(value: unknown, id: string, path: Path): Path | undefined {
  if (isMap(value) && value.id === id && typeof value.type === 'string') return path;
  const below: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : isMap(value)
      ? Object.entries(value)
      : [];
  for (const [step, inner] of below) {
    const found = findBelow(inner, id, [...path, step]);
    if (found) return found;
  }
  return undefined;
}
