import type { CalendarExecution, CalendarFlow, CalendarSchedule } from '@millrace/contract';

/** Something on the line of a flow: an execution, a planned date, or many of them. */
export type Block =
  | {
      readonly kind: 'execution';
      readonly start: number;
      readonly end: number;
      readonly execution: CalendarExecution;
    }
  | {
      readonly kind: 'date';
      readonly start: number;
      readonly end: number;
      readonly schedule: CalendarSchedule;
      readonly date: string;
      readonly isConflict: boolean;
    };

export type PlacedBlock = Block & { readonly level: number };

/** More blocks at a time lie on top of each other. */
export const maxLevels = 3;

/** The executions and listed dates of a flow, each on the first level where it does not touch the one before. */
export function placeBlocks(
  flow: CalendarFlow,
  executions: readonly CalendarExecution[],
  { now, leastMs }: { readonly now: number; readonly leastMs: number },
): PlacedBlock[] {
  const conflicts = new Set(flow.conflicts.map(({ date, triggerId }) => `${triggerId} ${date}`));
  const blocks: Block[] = [
    ...executions
      .filter(({ namespace, flowId }) => namespace === flow.namespace && flowId === flow.flowId)
      .map((execution): Block => {
        const start = Date.parse(execution.startDate);
        const end = execution.endDate === undefined ? now : Date.parse(execution.endDate);
        return { kind: 'execution', start, end, execution };
      }),
    ...flow.schedules.flatMap((schedule) =>
      (schedule.dates ?? []).map((date): Block => {
        const start = Date.parse(date);
        const isConflict = conflicts.has(`${schedule.triggerId} ${date}`);
        return { kind: 'date', start, end: start + (flow.usualMs ?? 0), schedule, date, isConflict };
      }),
    ),
  ].sort((a, b) => a.start - b.start);
  const ends: number[] = [];
  return blocks.map((block) => {
    const free = ends.findIndex((end) => end <= block.start);
    const level = free !== -1 ? free : ends.length < maxLevels ? ends.length : maxLevels - 1;
    ends[level] = Math.max(block.end, block.start + leastMs);
    return { ...block, level };
  });
}
