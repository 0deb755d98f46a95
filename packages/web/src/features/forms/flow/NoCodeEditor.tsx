import { ActionIcon } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import type { Issue } from '@millrace/contract';
import { formatPath, type Path, parsePath, readYaml } from '@millrace/engine';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import { type ReactNode, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { TextHistory } from '../../../state/useTextHistory.ts';
import { Hint } from '../../../ui/Hint.tsx';
import { BrokenPart, confirm, Loading } from '../../../ui/index.ts';
import { FormContext, type FormHost } from '../FormHost.ts';
import { WidgetsContext } from '../fields/Widget.tsx';
import { widgets } from '../fields/widgets.ts';
import { asSchema, type Schema, typeSchema } from '../schema/schema.ts';
import { usersOf } from '../schema/usersOf.ts';
import { isMap, valueAt } from '../source/edit.ts';
import { editSource } from '../source/editSource.ts';
import { Breadcrumb } from './Breadcrumb.tsx';
import { ElementForm } from './ElementForm.tsx';
import { FlowForm } from './FlowForm.tsx';
import { findElement } from './findElement.ts';
import styles from './NoCodeEditor.module.css';

export interface NoCodeEditorProps {
  readonly source: string;
  /** Changes the source, with a way back that the other views of it share. */
  readonly history: TextHistory;
  readonly readOnly?: boolean | undefined;
  /** The flow is saved: its id and its namespace stay. */
  readonly isSaved?: boolean | undefined;
  readonly issues: readonly Issue[];
  /** The server's schema of flows, or how to ask for it again. */
  readonly schema: {
    readonly data: Record<string, unknown> | undefined;
    readonly error: Error | null;
    refetch(): unknown;
    readType(type: string): Promise<Schema | undefined>;
  };
  /** What stands before the way into the flow. */
  readonly bar?: ReactNode;
  /** The task or trigger to show, each time this changes. */
  readonly shown?: { readonly id: string } | undefined;
  /** Tells which task or trigger is being edited. */
  readonly onShow?: ((id: string | undefined) => void) | undefined;
  /** The path of the form that is open, for the address of the page; none for the flow itself. */
  readonly element: string | undefined;
  onElement(element: string | undefined): void;
}

/** A flow as forms. The text is the truth: the forms show what it says, and every change is a change of the text. */
export function NoCodeEditor(props: NoCodeEditorProps) {
  const {
    source,
    history,
    readOnly = false,
    isSaved = false,
    issues,
    schema: asked,
    bar,
    shown,
    onShow,
    element,
    onElement,
  } = props;
  const { t } = useTranslation();
  const { data: schema, error, refetch } = asked;
  const read = useReadFlow(source);
  const isReadOnly = readOnly || read.problem !== undefined;
  const opened = useMemo(() => nearestPath(read.data, parsePath(element ?? '') ?? []), [read.data, element]);

  // Somebody else, the graph above all, asks for a task: shown once, then one may go where one likes.
  const answer = useEffectEvent((id: string) => {
    const found = findElement(read.data, id);
    if (found) onElement(formatPath(found));
  });
  useEffect(() => {
    if (shown) answer(shown.id);
  }, [shown]);

  const body = useRef<HTMLDivElement>(null);
  const before = useRef<Path>(opened);
  const place = formatPath(opened);
  useEffect(() => {
    const from = formatPath(before.current);
    if (from === place) return;
    // Deeper: to the heading of what was opened. Back: to the row one came from.
    const row = body.current?.querySelector<HTMLElement>(`[data-place=${JSON.stringify(from)}]`);
    (row ?? body.current?.querySelector<HTMLElement>('[data-heading]'))?.focus();
    before.current = opened;
  }, [place, opened]);

  useHotkeys(
    [
      ['mod+Z', history.undo],
      ['mod+shift+Z', history.redo],
      ['mod+Y', history.redo],
    ],
    // A text field undoes its own typing.
    ['INPUT', 'TEXTAREA', 'SELECT'],
  );

  if (!schema) return error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />;
  const open = (path: Path) => {
    onElement(formatPath(path) || undefined);
    onShow?.(idAt(read.data, path));
  };
  const definitions = asSchema(schema.definitions);
  const host: FormHost = {
    definitions,
    readType: async (place, type) =>
      typeSchema(definitions, place, type) ?? (await asked.readType(type)) ?? {},
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
    messageAt: (path) => {
      const wanted = formatPath(path);
      const here = issues.filter((issue) => issue.path === wanted);
      const found =
        here.find(({ severity }) => severity === 'error') ??
        here.find(({ severity }) => severity === 'warning');
      return found?.message;
    },
  };
  return (
    <WidgetsContext value={widgets}>
      <FormContext value={host}>
        <div className={styles.editor} ref={body}>
          {bar && <div className={styles.bar}>{bar}</div>}
          <div className={styles.bar}>
            <Breadcrumb path={opened} />
            <span className={styles.tools}>
              <Hint label={t('noCode.undo')}>
                <ActionIcon aria-label={t('noCode.undo')} disabled={!history.canUndo} onClick={history.undo}>
                  <IconArrowBackUp size={17} />
                </ActionIcon>
              </Hint>
              <Hint label={t('noCode.redo')}>
                <ActionIcon aria-label={t('noCode.redo')} disabled={!history.canRedo} onClick={history.redo}>
                  <IconArrowForwardUp size={17} />
                </ActionIcon>
              </Hint>
            </span>
          </div>
          {read.problem !== undefined && (
            <p className={styles.problem} role="alert">
              {t('noCode.invalidYaml', { message: read.problem })}
            </p>
          )}
          <div className={styles.scroll}>
            {opened.length === 0 ? (
              <FlowForm schema={asSchema(definitions.Flow)} />
            ) : (
              <ElementForm key={place} path={opened} root={asSchema(definitions.Flow)} />
            )}
          </div>
        </div>
      </FormContext>
    </WidgetsContext>
  );
}

interface ReadSource {
  readonly data: unknown;
  readonly problem: string | undefined;
}

/** What the text says. One that cannot be read leaves the last good reading in sight. */
function useReadFlow(source: string): ReadSource {
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

/** The path, or as much of it as is still there. */
function nearestPath(data: unknown, path: Path): Path {
  for (let length = path.length; length > 0; length -= 1) {
    const part = path.slice(0, length);
    if (isMap(valueAt(data, part)) && valueAt(data, part.slice(0, -1)) !== undefined && isElement(part)) {
      return part;
    }
  }
  return [];
}

/** Forms are of things in lists, or of the typed thing inside such an item. */
const isElement = (path: Path): boolean => path.some((step) => typeof step === 'number');

const idAt = (data: unknown, path: Path): string | undefined => {
  const id = valueAt(data, [...path, 'id']);
  return typeof id === 'string' ? id : undefined;
};
