import { ActionIcon, Button } from '@mantine/core';
import { IconArrowBackUp, IconChevronDown, IconChevronUp, IconFold } from '@tabler/icons-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Hint } from '../../../ui/Hint.tsx';
import type { Token } from '../../../ui/markdown/highlight.ts';
import { DiffText, lineKey, wordsOfPairs } from './DiffText.tsx';
import styles from './FlowRevisions.module.css';
import {
  type DiffLine,
  diffLines,
  type Hunk,
  hunksOf,
  type LinePair,
  pairLines,
  revertHunk,
} from './lineDiff.ts';

interface RevisionDiffProps {
  readonly before: string;
  readonly after: string;
  readonly view: 'inline' | 'split';
  /** Offered for each part that changed: the newer text with that part as it was before. */
  readonly onRestore?: ((text: string) => void) | undefined;
  /** Without the bar, for dialogs. */
  readonly isPreview?: boolean | undefined;
}

/** Unchanged lines around a change that stay in view. */
const CONTEXT = 3;
/** Fewer unchanged lines than this are not worth a fold. */
const MIN_FOLD = 6;

/** What changed from one source to the other, in one column or in two, with the unchanged parts folded. */
export function RevisionDiff({ before, after, view, onRestore, isPreview = false }: RevisionDiffProps) {
  const { t } = useTranslation();
  const lines = useMemo(() => diffLines(before, after), [before, after]);
  const pairs = useMemo(() => pairLines(lines), [lines]);
  const words = useMemo(() => wordsOfPairs(pairs), [pairs]);
  const rows = useMemo(
    () => (view === 'inline' ? lines.map(toRow) : pairs.map(pairToRow)),
    [view, lines, pairs],
  );
  const hunks = useMemo(() => hunksOf(rows), [rows]);
  const lineHunks = useMemo(() => hunksOf(lines), [lines]);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const [isWhole, setWhole] = useState(false);
  const tokens = { left: useTokens(before), right: useTokens(after) };
  const { at, go, frame } = useHunks(hunks.length);
  if (hunks.length === 0) return <p className={styles.same}>{t('revisions.same')}</p>;

  const text = (line: DiffLine | undefined, side: 'left' | 'right') =>
    line && (
      <DiffText
        line={line}
        tokens={tokens[side]?.[(line[side] ?? 1) - 1]}
        pieces={words.get(lineKey(line))}
      />
    );
  const cells = (row: Row) =>
    view === 'inline' ? (
      <>
        <span className={styles.number}>{row.left?.left}</span>
        <span className={styles.number}>{row.right?.right}</span>
        {row.kind === 'added' ? text(row.right, 'right') : text(row.left, 'left')}
      </>
    ) : (
      (['left', 'right'] as const).map((side) => (
        <span key={side} className={styles.half} data-kind={row[side] ? row[side].kind : 'nothing'}>
          <span className={styles.number}>{row[side]?.[side]}</span>
          {text(row[side], side)}
        </span>
      ))
    );
  return (
    <div ref={frame} className={styles.frame}>
      {!isPreview && (
        <div className={styles.steps}>
          <span role="status">{t('revisions.change', { at: at + 1, count: hunks.length })}</span>
          <Hint label={t('revisions.previous')}>
            <ActionIcon aria-label={t('revisions.previous')} onClick={() => go(-1)}>
              <IconChevronUp size={16} />
            </ActionIcon>
          </Hint>
          <Hint label={t('revisions.next')}>
            <ActionIcon aria-label={t('revisions.next')} onClick={() => go(1)}>
              <IconChevronDown size={16} />
            </ActionIcon>
          </Hint>
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconFold size={14} />}
            aria-pressed={isWhole}
            onClick={() => setWhole(!isWhole)}
          >
            {t(isWhole ? 'revisions.fold' : 'revisions.unfold')}
          </Button>
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long line scrolls, and the keyboard must reach that. */}
      <div className={styles.diff} data-view={view} tabIndex={0}>
        {blocksOf(rows.length, hunks).map((block) =>
          block.hunk === undefined ? (
            <Unchanged
              key={block.start}
              rows={rows.slice(block.start, block.end)}
              isFirst={block.start === 0}
              isLast={block.end === rows.length}
              isOpen={isWhole || open.has(block.start)}
              onOpen={() => setOpen(new Set([...open, block.start]))}
              cells={cells}
              view={view}
            />
          ) : (
            <div
              key={block.start}
              className={styles.hunk}
              data-hunk={block.hunk}
              data-current={block.hunk === at || undefined}
            >
              {rows.slice(block.start, block.end).map((row) => (
                <div
                  key={keyOf(row)}
                  className={styles.line}
                  data-kind={view === 'inline' ? row.kind : undefined}
                >
                  {cells(row)}
                </div>
              ))}
              {onRestore && (
                <span className={styles.restore}>
                  <Hint label={t('revisions.restoreHunk')}>
                    <ActionIcon
                      variant="default"
                      size={22}
                      aria-label={t('revisions.restoreHunk')}
                      onClick={() => {
                        const hunk = lineHunks[block.hunk ?? 0];
                        if (hunk) onRestore(revertHunk(lines, hunk));
                      }}
                    >
                      <IconArrowBackUp size={14} />
                    </ActionIcon>
                  </Hint>
                </span>
              )}
            </div>
          ),
        )}
      </div>
    </div>
  );
}

interface Row extends LinePair {
  readonly kind: DiffLine['kind'];
}

const toRow = (line: DiffLine): Row => ({
  kind: line.kind,
  ...(line.kind !== 'added' && { left: line }),
  ...(line.kind !== 'removed' && { right: line }),
});
const pairToRow = (pair: LinePair): Row => ({
  ...pair,
  kind: pair.left?.kind === 'same' ? 'same' : pair.left ? 'removed' : 'added',
});
const keyOf = ({ left, right }: Row): string => `${left?.left ?? ''}:${right?.right ?? ''}`;

interface Block {
  readonly start: number;
  readonly end: number;
  /** The number of the hunk; undefined for unchanged rows. */
  readonly hunk?: number;
}

/** The rows as unchanged and changed blocks in turn. */
function blocksOf(count: number, hunks: readonly Hunk[]): Block[] {
  const blocks: Block[] = [];
  let at = 0;
  for (const [hunk, { start, end }] of hunks.entries()) {
    if (start > at) blocks.push({ start: at, end: start });
    blocks.push({ start, end, hunk });
    at = end;
  }
  if (at < count) blocks.push({ start: at, end: count });
  return blocks;
}

interface UnchangedProps {
  readonly rows: readonly Row[];
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isOpen: boolean;
  onOpen(): void;
  cells(row: Row): React.ReactNode;
  readonly view: 'inline' | 'split';
}

function Unchanged({ rows, isFirst, isLast, isOpen, onOpen, cells, view }: UnchangedProps) {
  const { t } = useTranslation();
  const [above, below] = [isFirst ? 0 : CONTEXT, isLast ? 0 : CONTEXT];
  const hidden = rows.length - above - below;
  const line = (row: Row) => (
    <div key={keyOf(row)} className={styles.line} data-kind={view === 'inline' ? 'same' : undefined}>
      {cells(row)}
    </div>
  );
  if (isOpen || hidden < MIN_FOLD) return rows.map(line);
  return (
    <>
      {rows.slice(0, above).map(line)}
      <button type="button" className={styles.fold} onClick={onOpen}>
        {t('revisions.hidden', { count: hidden })}
      </button>
      {rows.slice(rows.length - below).map(line)}
    </>
  );
}

/** The change that is looked at, and the way to the others: by buttons, and by the keys n and p. */
function useHunks(count: number) {
  const [chosen, setAt] = useState(0);
  const at = Math.min(chosen, count - 1);
  const frame = useRef<HTMLDivElement>(null);
  const go = (step: number) => {
    const next = (at + step + count) % count;
    setAt(next);
    frame.current?.querySelector(`[data-hunk="${next}"]`)?.scrollIntoView?.({ block: 'center' });
  };
  const newest = useRef(go);
  useEffect(() => {
    newest.current = go;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isTyping =
        event.target instanceof Element && event.target.closest('input, textarea, [role="dialog"]');
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'n') newest.current(1);
      else if (event.key === 'p') newest.current(-1);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  return { at, go, frame };
}

/** The colored pieces of each line, once the highlighter has loaded; until then the text is plain. */
function useTokens(source: string): Token[][] | undefined {
  const [found, setFound] = useState<{ source: string; tokens: Token[][] }>();
  useEffect(() => {
    let isWanted = true;
    void import('../../../ui/markdown/highlight.ts')
      .then(({ highlight }) => highlight(source, 'yaml'))
      .then(
        (tokens) => isWanted && setFound({ source, tokens }),
        () => {}, // Plain text is good enough.
      );
    return () => {
      isWanted = false;
    };
  }, [source]);
  return found?.source === source ? found.tokens : undefined;
}
