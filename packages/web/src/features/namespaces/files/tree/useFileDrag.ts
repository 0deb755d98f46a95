import { type DragEvent, useEffect, useRef, useState } from 'react';
import { parentOf } from '../fileQueries.ts';
import { moveProblem, readDropped, type UploadEntry } from './fileBatch.ts';
import type { FileRow } from './fileRows.ts';

interface Options {
  /** Opens a folder that the pointer rests on. */
  onOpen(path: string): void;
  /** The paths that move with a row. */
  pathsFor(row: FileRow): readonly string[];
  onMove(paths: readonly string[], folder: string): void;
  onUpload(entries: readonly UploadEntry[], folder: string): void;
}

const dragType = 'application/x-millrace-files';
/** As long as the pointer rests on a closed folder before it opens. */
const springMs = 700;

/** Drags of files within the tree and from the computer. Escape ends a drag, as in every browser. */
export function useFileDrag({ onOpen, pathsFor, onMove, onUpload }: Options) {
  const dragged = useRef<readonly string[]>([]);
  const [folder, setFolder] = useState<string>();
  const [isRefused, setRefused] = useState(false);
  const spring = useRef<{ path: string; timer: ReturnType<typeof setTimeout> }>(undefined);
  const rest = (path: string | undefined) => {
    if (spring.current?.path === path) return;
    clearTimeout(spring.current?.timer);
    spring.current =
      path === undefined ? undefined : { path, timer: setTimeout(() => onOpen(path), springMs) };
  };
  useEffect(() => () => clearTimeout(spring.current?.timer), []);
  const clear = () => {
    rest(undefined);
    setFolder(undefined);
    setRefused(false);
  };
  const isUpload = (event: DragEvent) => event.dataTransfer.types.includes('Files');
  const isMove = (event: DragEvent) => event.dataTransfer.types.includes(dragType);
  const folderOf = (row: FileRow | undefined) =>
    row === undefined ? '/' : row.type === 'Directory' ? row.path : parentOf(row.path);
  return {
    /** The folder that would take what is dragged. */
    folder,
    /** The folder does not take it: it is dragged into itself or is there already. */
    isRefused,
    rowProps: (row: FileRow) => ({
      onDragStart: (event: DragEvent) => {
        dragged.current = pathsFor(row);
        event.dataTransfer.setData(dragType, JSON.stringify(dragged.current));
        event.dataTransfer.effectAllowed = 'move';
      },
      onDragEnd: () => {
        dragged.current = [];
        clear();
      },
    }),
    /** For the tree with a row below the pointer, or none. */
    over: (event: DragEvent, row: FileRow | undefined) => {
      if (!isMove(event) && !isUpload(event)) return;
      event.preventDefault();
      const target = folderOf(row);
      const refuses =
        !isUpload(event) && dragged.current.every((path) => moveProblem(path, target) !== undefined);
      event.dataTransfer.dropEffect = refuses ? 'none' : isUpload(event) ? 'copy' : 'move';
      setFolder(target);
      setRefused(refuses);
      rest(row?.type === 'Directory' && !row.isOpen ? row.path : undefined);
    },
    leave: (event: DragEvent) => {
      const { currentTarget, relatedTarget } = event;
      if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) clear();
    },
    drop: (event: DragEvent, row: FileRow | undefined) => {
      const target = folderOf(row);
      if (!isMove(event) && !isUpload(event)) return;
      event.preventDefault();
      clear();
      if (isUpload(event)) void readDropped(event.dataTransfer).then((entries) => onUpload(entries, target));
      else onMove(dragged.current, target);
    },
  };
}
