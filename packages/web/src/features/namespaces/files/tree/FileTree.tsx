import { useMediaQuery } from '@mantine/hooks';
import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../../i18n/useTranslation.ts';
import { CardError } from '../../../../ui/Card.tsx';
import { SkeletonList } from '../../../../ui/Loading.tsx';
import type { FileQuestion } from '../FileDialog.tsx';
import { parentOf } from '../fileQueries.ts';
import { FileLine } from './FileLine.tsx';
import { FileMenu, type FileMenuPlace } from './FileMenu.tsx';
import styles from './FileTree.module.css';
import { type FileNote, type FileRow, useFileRows } from './fileRows.ts';
import {
  type FileSelection,
  noSelection,
  outermost,
  selectAll,
  selectByClick,
  selectByKey,
  selectOnly,
} from './fileSelection.ts';
import type { FileActions } from './useFileActions.tsx';
import { useFileDrag } from './useFileDrag.ts';

interface FileTreeProps {
  readonly namespace: string;
  /** The file that is open on top. */
  readonly active: string | undefined;
  readonly actions: FileActions;
  onOpen(path: string): void;
  onAsk(question: FileQuestion): void;
}

/** The files of a namespace as a tree: chosen, moved and named with pointer and keys as in a file manager. */
export function FileTree({ namespace, active, actions, onOpen, onAsk }: FileTreeProps) {
  const { t } = useTranslation();
  const tree = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set(active ? foldersOf(active) : []));
  const [known, select] = useState<FileSelection>(noSelection);
  const [renamed, setRenamed] = useState<string>();
  const [menu, setMenu] = useState<FileMenuPlace>();
  const hasTouch = useMediaQuery('(pointer: coarse)') ?? false;
  const { lines, rows, reload } = useFileRows(namespace, open);
  const rowAt = (path: string | undefined) => rows.find((row) => row.path === path);
  const selection = { ...known, paths: new Set([...known.paths].filter((path) => rowAt(path))) };
  const focus = rowAt(known.focus) ?? rowAt(active) ?? rows[0];
  const selectedRows = outermost(selection.paths).flatMap((path) => rowAt(path) ?? []);
  const hadFocus = useFocusFollows(tree, focus?.path, renamed !== undefined);

  const setFolder = (path: string, isOpen: boolean) =>
    setOpen((before) => {
      const next = new Set(before);
      if (isOpen) next.add(path);
      else for (const one of before) if (one === path || one.startsWith(`${path}/`)) next.delete(one);
      return next;
    });
  const use = (row: FileRow) =>
    row.type === 'Directory' ? setFolder(row.path, !row.isOpen) : onOpen(row.path);
  /** What an action on a row is about: the whole selection when the row is a part of it. */
  const rowsFor = (row: FileRow): readonly FileRow[] =>
    selection.paths.has(row.path) ? selectedRows : [row];
  const showMenu = (row: FileRow | undefined, x: number, y: number) => {
    if (row && !selection.paths.has(row.path)) select(selectOnly(row.path));
    const folder = row === undefined ? '/' : row.type === 'Directory' ? row.path : parentOf(row.path);
    setMenu({ x, y, folder, rows: row ? rowsFor(row) : [] });
  };
  const selectNew = (paths: readonly string[]) => {
    for (const path of paths) for (const folder of foldersOf(path)) setFolder(folder, true);
    if (paths.length > 0) select({ paths: new Set(paths), anchor: paths[0], focus: paths[0] });
  };
  const drag = useFileDrag({
    onOpen: (path) => setFolder(path, true),
    pathsFor: (row) => {
      if (!selection.paths.has(row.path)) select(selectOnly(row.path));
      return rowsFor(row).map(({ path }) => path);
    },
    onMove: (paths, folder) => void actions.move(paths, folder).then(selectNew),
    onUpload: (entries, folder) => {
      setFolder(folder, true);
      void actions.upload(entries, folder);
    },
  });
  const click = (event: MouseEvent, row: FileRow) => {
    select(selectByClick(selection, rows, row.path, event));
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) use(row);
  };
  const typed = useTypeAhead(rows, (path) => select(selectOnly(path)));
  const press = (event: KeyboardEvent) => {
    if (event.target === tree.current && isMenuKey(event)) return showMenu(undefined, ...placeOf(tree, ''));
    if (!focus || !isRow(event.target)) return;
    const at = rows.indexOf(focus);
    const go = (to: number) => {
      const row = rows[Math.min(Math.max(to, 0), rows.length - 1)];
      if (row) select(selectByKey(selection, rows, row.path, event));
    };
    const isControl = event.ctrlKey || event.metaKey;
    const byKey: Readonly<Record<string, () => void>> = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      Home: () => go(0),
      End: () => go(rows.length - 1),
      ArrowRight: () => {
        if (focus.type !== 'Directory') return;
        if (focus.isOpen) go(at + 1);
        else setFolder(focus.path, true);
      },
      ArrowLeft: () => {
        if (focus.isOpen) return setFolder(focus.path, false);
        const parent = rowAt(parentOf(focus.path));
        if (parent) select(selectOnly(parent.path));
      },
      Enter: () => use(focus),
      ' ': () => select(selectByClick(selection, rows, focus.path, { ...none, ctrlKey: true })),
      Escape: () => select({ ...noSelection, focus: focus.path }),
      F2: () => setRenamed(focus.path),
      Delete: () => onAsk({ kind: 'delete', rows: rowsFor(focus) }),
      ...(isMenuKey(event) && { [event.key]: () => showMenu(focus, ...placeOf(tree, focus.path)) }),
      ...(isControl && { a: () => select(selectAll(selection, rows)) }),
    };
    const act = byKey[event.key];
    if (act) act();
    else if (isControl || event.altKey || event.key.length !== 1 || !typed(event.key, at)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its role is computed. */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: as above. */}
      <div
        ref={tree}
        // A tree must have items. Without any, it takes the focus itself, for its menu.
        role={rows.length === 0 ? 'group' : 'tree'}
        tabIndex={rows.length === 0 ? 0 : -1}
        aria-label={t('file.tree')}
        {...(rows.length > 0 && { 'aria-multiselectable': true })}
        className={styles.tree}
        data-drop={drag.folder === '/' && !drag.isRefused ? true : undefined}
        onKeyDown={press}
        onFocus={(event) => {
          hadFocus.current = true;
          // Assistive technology moves the focus without keys: keys then act on that row.
          const path = isRow(event.target) ? event.target.dataset.path : undefined;
          if (path !== undefined && path !== focus?.path) select({ ...known, focus: path });
        }}
        onBlur={(event) => {
          hadFocus.current = event.currentTarget.contains(event.relatedTarget);
        }}
        onDragOver={(event) => drag.over(event, rowUnder(event.target, rowAt))}
        onDragLeave={drag.leave}
        onDrop={(event) => drag.drop(event, rowUnder(event.target, rowAt))}
        onContextMenu={(event) => {
          if (renamed !== undefined) return;
          event.preventDefault();
          showMenu(rowUnder(event.target, rowAt), event.clientX, event.clientY);
        }}
      >
        {lines.map((line) =>
          'path' in line ? (
            <FileLine
              key={line.path}
              row={line}
              isActive={line.path === active}
              isSelected={selection.paths.has(line.path)}
              isFocus={line.path === focus?.path}
              isTarget={isBelow(line, drag.folder) && !drag.isRefused}
              isRenamed={line.path === renamed}
              canDrag={!hasTouch && renamed === undefined}
              taken={(name) => rows.some(({ path }) => path === sibling(line.path, name))}
              drag={drag.rowProps(line)}
              onClick={(event) => click(event, line)}
              onMenu={(x, y) => showMenu(line, x, y)}
              onRename={(name) => {
                setRenamed(undefined);
                if (name === undefined) return;
                const to = sibling(line.path, name);
                void actions.rename(line.path, name).then((isDone) => isDone && select(selectOnly(to)));
              }}
            />
          ) : (
            <Note key={`note ${line.folder}`} note={line} onRetry={() => reload(line.folder)} />
          ),
        )}
      </div>
      {menu && (
        <FileMenu
          namespace={namespace}
          place={menu}
          onClose={() => {
            setMenu(undefined);
            tree.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
          }}
          onAsk={onAsk}
          onRename={setRenamed}
          onDuplicate={(paths) => void actions.duplicate(paths).then(selectNew)}
        />
      )}
    </>
  );
}

const isMenuKey = ({ key, shiftKey }: KeyboardEvent): boolean =>
  key === 'ContextMenu' || (key === 'F10' && shiftKey);

const none = { ctrlKey: false, metaKey: false, shiftKey: false } as const;

function Note({ note, onRetry }: { note: FileNote; onRetry: () => void }) {
  const { t } = useTranslation();
  const { says, level, folder } = note;
  return (
    <div role="none" className={styles.note} style={{ paddingInlineStart: 10 + level * 14 }}>
      {says === 'loading' ? (
        <SkeletonList rows={folder === '/' ? 3 : 1} rowHeight={30} />
      ) : says === 'empty' ? (
        t(folder === '/' ? 'file.none' : 'file.emptyFolder')
      ) : (
        <CardError message={says.message} onRetry={onRetry} />
      )}
    </div>
  );
}

/** The folders that a path is in, outermost first. */
function foldersOf(path: string): string[] {
  const folder = parentOf(path);
  return folder === '/' ? [] : [...foldersOf(folder), folder];
}

const sibling = (path: string, name: string): string => path.slice(0, path.lastIndexOf('/') + 1) + name;

/** The rows that a drop changes: the folder and everything in it. */
const isBelow = ({ path }: FileRow, folder: string | undefined): boolean =>
  folder !== undefined && folder !== '/' && (path === folder || path.startsWith(`${folder}/`));

const isRow = (target: EventTarget): target is HTMLElement =>
  target instanceof HTMLElement && target.getAttribute('role') === 'treeitem';

function rowUnder(target: EventTarget, rowAt: (path: string | undefined) => FileRow | undefined) {
  if (!(target instanceof Element)) return undefined;
  return rowAt(target.closest<HTMLElement>('[data-path]')?.dataset.path);
}

/** Where the menu of a row opens when a key asks for it. */
function placeOf(tree: RefObject<HTMLElement | null>, path: string): [number, number] {
  const row = tree.current?.querySelector(`[data-path="${CSS.escape(path)}"]`) ?? tree.current;
  const { left = 0, top = 0 } = row?.getBoundingClientRect() ?? {};
  return [left + 24, top + 30];
}

/**
 * While the tree has the focus, it is on the row that keys act on. A row that is removed and the field of a new name take
 * the focus with them without an event: `hadFocus` tells that from a user who left the tree.
 */
function useFocusFollows(tree: RefObject<HTMLElement | null>, path: string | undefined, isOff: boolean) {
  const hadFocus = useRef(false);
  useEffect(() => {
    if (isOff || path === undefined || !hadFocus.current) return;
    tree.current?.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`)?.focus();
  }, [tree, path, isOff]);
  return hadFocus;
}

const typingMs = 800;

/** Letters that are typed quickly after each other choose the next row whose name begins with them. */
function useTypeAhead(rows: readonly FileRow[], choose: (path: string) => void) {
  const state = useRef({ text: '', at: 0 });
  return (key: string, from: number): boolean => {
    const now = Date.now();
    const isNew = now - state.current.at > typingMs;
    if (isNew && key === ' ') return false;
    const text = (isNew ? '' : state.current.text) + key.toLowerCase();
    state.current = { text, at: now };
    const start = text.length === 1 ? from + 1 : from;
    const ordered = [...rows.slice(start), ...rows.slice(0, start)];
    const found = ordered.find(({ name }) => name.toLowerCase().startsWith(text));
    if (found) choose(found.path);
    return found !== undefined;
  };
}
