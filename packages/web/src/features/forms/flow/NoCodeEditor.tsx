import { ActionIcon, UnstyledButton } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import type { Issue } from '@millrace/contract';
import { formatPath, type Path, parsePath } from '@millrace/engine';
import { IconArrowBackUp, IconArrowForwardUp, IconChevronRight } from '@tabler/icons-react';
import { Fragment, type ReactNode, useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import type { TextHistory } from '../../../state/useTextHistory.ts';
import { Hint } from '../../../ui/Hint.tsx';
import { BrokenPart, Loading } from '../../../ui/index.ts';
import { FormContext, useForm } from '../FormHost.ts';
import { nameOf } from '../fields/BlockRow.tsx';
import { WidgetsContext } from '../fields/Widget.tsx';
import { widgets } from '../fields/widgets.ts';
import { asSchema } from '../schema/schema.ts';
import { isMap, valueAt } from '../source/edit.ts';
import { ElementForm } from './ElementForm.tsx';
import { FlowForm } from './FlowForm.tsx';
import { type AskedSchema, findElement, formHostOf, useReadFlow } from './formHost.ts';
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
  readonly schema: AskedSchema;
  /** Called before an expression is completed for the first time. */
  readonly onComplete?: (() => void) | undefined;
  /** Content before the breadcrumb of the flow. */
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

  // Another view, such as the graph, opens a task: once, then the user may navigate on.
  const answer = useEffectEvent((id: string) => {
    const found = findElement(read.data, id);
    if (found) onElement(formatPath(found));
  });
  useEffect(() => {
    if (shown) answer(shown.id);
  }, [shown]);

  // A link or the browser's history may open a form too, not only `open`.
  const openedId = idAt(read.data, opened);
  const reportOpened = useEffectEvent((id: string) => onShow?.(id));
  useEffect(() => {
    if (openedId !== undefined) reportOpened(openedId);
  }, [openedId]);

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
  const host = formHostOf({
    read,
    history,
    issues,
    schema: asked,
    path: opened,
    isReadOnly,
    isSaved,
    open,
    onComplete: props.onComplete,
    t,
  });
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

/** The way from the flow to what is being edited. */
function Breadcrumb({ path }: { path: Path }) {
  const { t } = useTranslation();
  const { data, open } = useForm();
  const id = valueAt(data, ['id']);
  const flow = typeof id === 'string' && id !== '' ? id : t('noCode.flow');
  const elements = elementsAlong(data, path);
  return (
    <nav className={styles.crumbs} aria-label={t('noCode.way')}>
      {elements.length === 0 ? (
        <span className={styles.here}>{flow}</span>
      ) : (
        <UnstyledButton className={styles.crumb ?? ''} onClick={() => open([])}>
          {flow}
        </UnstyledButton>
      )}
      {elements.map(({ path: place, name }, index) => (
        <Fragment key={formatPath(place)}>
          <IconChevronRight size={13} aria-hidden className={styles.arrow ?? ''} />
          {index === elements.length - 1 ? (
            <span className={styles.here} aria-current="location">
              {name}
            </span>
          ) : (
            <UnstyledButton className={styles.crumb ?? ''} onClick={() => open(place)}>
              {name}
            </UnstyledButton>
          )}
        </Fragment>
      ))}
    </nav>
  );
}

/** The elements with their own forms along the path; of an item around a typed element only the element. */
function elementsAlong(data: unknown, path: Path): { path: Path; name: string }[] {
  const found: { path: Path; name: string }[] = [];
  for (const [depth, step] of path.entries()) {
    if (typeof step !== 'number') continue;
    const place = path.slice(0, depth + 1);
    const value = valueAt(data, place);
    const inside = path[depth + 1];
    const isWrapped = isMap(value) && !('id' in value) && !('type' in value) && typeof inside === 'string';
    const inner = isWrapped ? [...place, inside] : place;
    found.push({ path: inner, name: nameOf(valueAt(data, inner), step).title });
  }
  return found;
}
