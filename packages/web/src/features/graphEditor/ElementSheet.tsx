import { ActionIcon, Portal, SegmentedControl } from '@mantine/core';
import type { Issue } from '@millrace/contract';
import type { Path } from '@millrace/engine';
import { IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import type { TextHistory } from '../../state/useTextHistory.ts';
import { CodeEditor } from '../../ui/code/index.ts';
import { type AskedSchema, ElementEditor } from '../forms/index.ts';
import { isMap, readElementText, readYamlData, replaceElementText, valueAt } from '../forms/source/index.ts';
import styles from './ElementSheet.module.css';
import { readFlowText } from './edits/flowText.ts';
import type { Part } from './edits/slot.ts';

interface ElementSheetProps {
  readonly part: Part;
  readonly source: string;
  readonly history: TextHistory;
  readonly schema: AskedSchema;
  readonly issues: readonly Issue[];
  readonly onComplete: (() => void) | undefined;
  /** Over the whole height of the window instead of beside the graph. */
  readonly isFixed: boolean;
  onOpen(part: Part): void;
  onClose(): void;
}

const views = ['form', 'documentation', 'yaml'] as const;
type SheetView = (typeof views)[number];

/** The form of one task or trigger over the graph, beside the text of the flow; or what its type is for; or its own lines. */
export function ElementSheet(props: ElementSheetProps) {
  const { part, source, history, schema, issues, onComplete, isFixed, onOpen, onClose } = props;
  const { t } = useTranslation();
  const [view, setView] = useState<SheetView>('form');
  const path = useElementPath(source, part);
  const sheet = useRef<HTMLElement>(null);
  useEffect(() => {
    // The page before left the focus in a field.
    if (sheet.current?.contains(document.activeElement)) return;
    const first = sheet.current?.querySelector<HTMLElement>('[data-heading]') ?? sheet.current;
    first?.focus({ preventScroll: true });
  }, []);
  if (!path) return null;
  const id = valueAt(readYamlData(source), [...path, 'id']);
  const close = () => {
    onClose();
    focusNode(typeof id === 'string' ? id : part.id);
  };
  const shown = (
    <aside
      ref={sheet}
      className={styles.sheet}
      aria-label={t('graphEditor.sheet', { id: typeof id === 'string' ? id : part.id })}
      data-sheet
      data-fixed={isFixed || undefined}
      tabIndex={-1}
      onKeyDown={(event) => {
        // A list or a menu inside the form closes itself first.
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.stopPropagation();
        close();
      }}
    >
      <div className={styles.head}>
        <SegmentedControl<SheetView>
          size="xs"
          aria-label={t('graphEditor.sheetView')}
          data={views.map((value) => ({ value, label: t(`noCode.${value}`) }))}
          value={view}
          onChange={setView}
        />
        <ActionIcon ml="auto" aria-label={t('action.close')} onClick={close}>
          <IconX size={17} />
        </ActionIcon>
      </div>
      <div className={styles.body}>
        {view === 'yaml' ? (
          <ElementYaml source={source} path={path} history={history} />
        ) : (
          <div className={styles.form}>
            <ElementEditor
              source={source}
              path={path}
              history={history}
              schema={schema}
              issues={issues}
              isReadOnly={false}
              view={view}
              onComplete={onComplete}
              onOpen={(other) => {
                const opened = partAtPath(source, other);
                if (opened) onOpen(opened);
              }}
            />
          </div>
        )}
      </div>
    </aside>
  );
  return isFixed ? <Portal>{shown}</Portal> : shown;
}

/** The keyboard continues at the node of the form that was closed: without it, it would begin at the top of the page. */
function focusNode(id: string): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    document
      .querySelector<HTMLElement>(`.react-flow__node[aria-label=${JSON.stringify(id)}]`)
      ?.focus({ preventScroll: true });
  });
}

/** Follows the element when it is moved, and when its id changes while its form is open. */
function useElementPath(source: string, part: Part): Path | undefined {
  const known = useRef<{ part: Part; path: Path } | undefined>(undefined);
  const text = readFlowText(source);
  // A text that cannot be read for a moment keeps the sheet where it is.
  if (!text) return known.current?.path;
  const wanted = known.current?.part ?? part;
  const found = text.pathOf(wanted);
  if (found) {
    known.current = { part: wanted, path: found };
    return found;
  }
  const renamed = known.current && partAtPath(source, known.current.path);
  if (!renamed || !known.current) return undefined;
  known.current = { part: renamed, path: known.current.path };
  return known.current.path;
}

function partAtPath(source: string, path: Path): Part | undefined {
  const element = valueAt(readYamlData(source), path);
  if (!isMap(element) || typeof element.id !== 'string') return undefined;
  return { kind: path[0] === 'triggers' ? 'trigger' : 'task', id: element.id };
}

interface ElementYamlProps {
  readonly source: string;
  readonly path: Path;
  readonly history: Pick<TextHistory, 'latest' | 'write'>;
}

/** The lines of one element. A text that is no map stays here until it is one; the flow keeps its last good text. */
function ElementYaml({ source, path, history }: ElementYamlProps) {
  const { t } = useTranslation();
  const own = readElementText(source, path)?.text;
  const [draft, setDraft] = useState<{ text: string; base: string }>();
  if (own === undefined) return <p className={styles.note}>{t('graphEditor.noLines')}</p>;
  const shown = draft?.base === own ? draft.text : own;
  const change = (text: string) => {
    const isReadable = isMap(readYamlData(text));
    const next = isReadable ? replaceElementText(history.latest(), path, { comments: [], text }) : undefined;
    if (next === undefined || readYamlData(next) === undefined) return setDraft({ text, base: own });
    setDraft({ text, base: readElementText(next, path)?.text ?? own });
    history.write(next, `yaml ${path.join('.')}`);
  };
  return (
    <div className={styles.code}>
      <CodeEditor
        value={shown}
        language="yaml"
        path="element.yaml"
        onChange={change}
        ariaLabel={t('graphEditor.yamlLabel')}
      />
    </div>
  );
}
