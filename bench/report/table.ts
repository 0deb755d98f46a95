import { type Budget, budgets } from './budgets.ts';
import type { Column, Report } from './figures.ts';

const columns: readonly Column[] = ['SQLite', 'PostgreSQL', 'product'];

/**
 * The budgets with the measured values: ✓ or ✗ against the limit, and how many times better than the peer.
 */
export function formatTable(report: Report): string {
  const rows = budgets
    .map((budget) => ({ budget, cells: columns.flatMap((column) => formatCell(budget, column, report)) }))
    .filter(({ cells }) => cells.length > 0)
    .map(({ budget, cells }) => [budget.title, formatPeer(budget), cells.join('   ')]);
  return align([['measure', 'peer', 'achieved (limit; times the peer)'], ...rows]);
}

function formatCell(budget: Budget, column: Column, report: Report): string[] {
  const value = report[column]?.[budget.id];
  if (value === undefined) return [];
  const name = column === 'product' ? '' : `${column} `;
  return [`${name}${formatValue(value, budget.unit)}${formatVerdict(budget, column, value)}`];
}

function formatVerdict(budget: Budget, column: Column, value: number): string {
  const limit = budget.limits[column];
  const ratio = budget.peer === undefined ? undefined : timesThePeer(budget, value, budget.peer);
  const notes = [
    limit === undefined
      ? undefined
      : `${budget.better === 'higher' ? '≥' : '≤'} ${formatValue(limit, budget.unit)}`,
    ratio === undefined ? undefined : `${round(ratio)} ×`,
  ].filter((note) => note !== undefined);
  const mark = limit === undefined ? '' : isKept(budget, column, value) ? ' ✓' : ' ✗';
  return mark + (notes.length > 0 ? ` (${notes.join('; ')})` : '');
}

export function isKept(budget: Budget, column: Column, value: number): boolean {
  const limit = budget.limits[column];
  if (limit === undefined) return true;
  return budget.better === 'higher' ? value >= limit : value <= limit;
}

const timesThePeer = (budget: Budget, value: number, peer: number) =>
  budget.better === 'higher' ? value / peer : peer / Math.max(value, 0.001);

const formatPeer = (budget: Budget) =>
  budget.peer === undefined ? '–' : formatValue(budget.peer, budget.unit);

const formatValue = (value: number, unit: Budget['unit']) =>
  `${round(value)}${unit === '/s' ? unit : ` ${unit}`}`;

/** Rounds to three digits. */
function round(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}

function align(rows: readonly (readonly string[])[]): string {
  const widths = [0, 1].map((index) => Math.max(...rows.map((cells) => cells[index]?.length ?? 0)));
  return rows
    .map((cells) =>
      cells
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}
