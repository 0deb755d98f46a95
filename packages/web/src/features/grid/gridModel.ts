import type { FlowGrid, GridCell, GridExecution, GridTask } from '@millrace/contract';

export interface GridRow {
  readonly task: GridTask;
  readonly isContainer: boolean;
  /** One per column; undefined where the task did not run. */
  readonly cells: readonly (GridCell | undefined)[];
}

export interface GridModel {
  /** Oldest first, so that the newest execution is on the right. */
  readonly columns: readonly GridExecution[];
  readonly rows: readonly GridRow[];
}

/** The grid with its rows in flow order, without those inside a collapsed container. */
export function gridModel({ tasks, executions }: FlowGrid, collapsed: ReadonlySet<string>): GridModel {
  const columns = executions.toReversed();
  const cells = columns.map((execution) => new Map(execution.cells.map((cell) => [cell.taskId, cell])));
  const rows: GridRow[] = [];
  let hiddenBelow = Number.POSITIVE_INFINITY;
  for (const [index, task] of tasks.entries()) {
    if (task.depth > hiddenBelow) continue;
    hiddenBelow = collapsed.has(task.id) ? task.depth : Number.POSITIVE_INFINITY;
    const isContainer = (tasks[index + 1]?.depth ?? 0) > task.depth;
    rows.push({ task, isContainer, cells: cells.map((column) => column.get(task.id)) });
  }
  return { columns, rows };
}

/** A place in the grid. Row -1 is the header with the executions. */
export interface Place {
  readonly row: number;
  readonly column: number;
}

const PAGE = 10;

/** Where a key leads from a place; undefined for a key that does not move. */
export function placeAfter(
  key: string,
  { row, column }: Place,
  { rows, columns }: GridModel,
): Place | undefined {
  const moves: Record<string, readonly [number, number]> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    PageUp: [-PAGE, 0],
    PageDown: [PAGE, 0],
    Home: [0, -columns.length],
    End: [0, columns.length],
  };
  const move = moves[key];
  if (!move) return undefined;
  return {
    row: clamp(row + move[0], -1, rows.length - 1),
    column: clamp(column + move[1], 0, columns.length - 1),
  };
}

const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max);

/** The same place after new data: an execution that came in moves the others to the left. */
export function placeOf(
  { columns, rows }: GridModel,
  active: { readonly executionId: string; readonly taskId: string | undefined } | undefined,
): Place {
  const column = columns.findIndex(({ id }) => id === active?.executionId);
  const row = active?.taskId === undefined ? -1 : rows.findIndex(({ task }) => task.id === active.taskId);
  return { row, column: column < 0 ? columns.length - 1 : column };
}

/** How high the bar of each duration is, as a share of the longest. */
export function barHeights(durationsMs: readonly number[]): number[] {
  const longest = Math.max(1, ...durationsMs);
  return durationsMs.map((ms) => Math.max(0.04, ms / longest));
}

const LABEL_COLUMNS = 4;

/**
 * The start of some columns, so far apart that the texts fit: the time, or the day where another day begins.
 * `clockOf` gives the wall clock, such as `2026-03-01T08:00:00`.
 */
export function columnDates(
  columns: readonly Pick<GridExecution, 'state'>[],
  clockOf: (iso: string) => string,
): (Readonly<{ isDay: boolean; iso: string }> | undefined)[] {
  let lastColumn = -LABEL_COLUMNS;
  let last = '';
  return columns.map(({ state: { startDate: iso } }, column) => {
    const minute = clockOf(iso).slice(0, 16);
    if (column - lastColumn < LABEL_COLUMNS) return undefined;
    const isDay = minute.slice(0, 10) !== last.slice(0, 10);
    if (minute === last) return undefined;
    // The time of the first column of a day still has to be said.
    [lastColumn, last] = [column, isDay ? minute.slice(0, 10) : minute];
    return { isDay, iso };
  });
}
