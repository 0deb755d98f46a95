import { blockSums, stepMs, stepsPerBlock, stepsPerDay } from '../rows/rollUp.ts';
import type { Queries } from './queries.ts';
import type { StepWindow } from './stepWindow.ts';

/** Parsing a longer statement takes longer than the blocks save. */
const maxBlocks = 4_000;

/** The roll-up rows of a window: their subject and a condition on their step. */
export interface RollUpSpan {
  readonly subject: number;
  readonly steps: string;
}

interface Asked {
  readonly subject: number;
  readonly window: StepWindow;
  /** The unit that an instant falls into; absent when nothing is grouped by the date. */
  readonly unitOf?: (at: number) => number;
  readonly passesOver: PassesOver;
}

/** Where scanning over the rows in between is faster than an index lookup for each one. */
type PassesOver = 'nothing' | 'blocks' | 'everything';

/**
 * The rows of a window: four-hour rows where these lie within one unit (a local day, for example), and
 * half-hour rows elsewhere. The numbers are computed here and are part of the SQL text.
 */
export function rollUpSpans({ subject, window, unitOf, passesOver }: Asked): RollUpSpan[] {
  const { firstStep, endStep } = window;
  const plain = { subject, steps: `step >= ${firstStep} AND step < ${endStep}` };
  const first = Math.ceil(firstStep / stepsPerBlock) * stepsPerBlock;
  const end = Math.floor(endStep / stepsPerBlock) * stepsPerBlock;
  if (firstStep < 0 || first >= end || (end - first) / stepsPerBlock > maxBlocks) return [plain];
  const isCut = (block: number): boolean =>
    unitOf !== undefined && unitOf(block * stepMs) !== unitOf((block + stepsPerBlock) * stepMs - 1);
  const blocks = Array.from({ length: (end - first) / stepsPerBlock }, (_, i) => first + i * stepsPerBlock);
  const cut = blocks.filter(isCut);
  if (cut.length === blocks.length) return [plain];
  const hourly = byHour(plain.steps, { first, end, cut });
  const numbered = byNumber(window, {
    first,
    end,
    cut: passesOver === 'nothing' ? cut : alike(cut, blocks),
    blocks,
  });
  const steps = passesOver === 'everything' ? hourly.steps : numbered.steps;
  return [
    { subject: subject + blockSums, steps: passesOver === 'nothing' ? numbered.blocks : hourly.blocks },
    ...(steps === undefined ? [] : [{ subject, steps }]),
  ];
}

/**
 * For all namespaces the rows of a step are adjacent, and seeking the next step skips most of them. A flow
 * has few rows. Nearly all blocks are needed, but few half hours, so PostgreSQL, which must fetch each row,
 * is faster with lookups.
 */
export function passesOver({ dialect }: Queries, ofFlows: boolean): PassesOver {
  if (!ofFlows) return 'nothing';
  return dialect.name === 'sqlite' ? 'everything' : 'blocks';
}

interface Blocks {
  readonly first: number;
  readonly end: number;
  readonly cut: readonly number[];
}

interface Conditions {
  readonly blocks: string;
  readonly steps: string | undefined;
}

/** Steps one by one. */
function byNumber(
  { firstStep, endStep }: StepWindow,
  { first, end, cut, blocks }: Blocks & { readonly blocks: readonly number[] },
): Conditions {
  const isCut = new Set(cut);
  const between = (from: number, to: number): number[] =>
    Array.from({ length: to - from }, (_, i) => from + i);
  const steps = [
    ...between(firstStep, first),
    ...cut.flatMap((block) => between(block, block + stepsPerBlock)),
    ...between(end, endStep),
  ];
  return {
    blocks: `step IN (${blocks.filter((block) => !isCut.has(block)).join(', ')})`,
    steps: steps.length === 0 ? undefined : `step IN (${steps.join(', ')})`,
  };
}

/** All blocks at the same hours as these: the ones that `byHour` leaves out. */
function alike(cut: readonly number[], blocks: readonly number[]): number[] {
  const hours = new Set(cut.map((block) => block % stepsPerDay));
  return blocks.filter((block) => hours.has(block % stepsPerDay));
}

/**
 * Selects by hour: the days of a time zone begin at the same UTC hours, before and after the clock changes.
 */
function byHour(range: string, { first, end, cut }: Blocks): Conditions {
  const hours = [...new Set(cut.map((block) => block % stepsPerDay))];
  const isOfDay = `step % ${stepsPerDay} / ${stepsPerBlock} * ${stepsPerBlock}`;
  const outside = `step < ${first} OR step >= ${end}`;
  if (hours.length === 0)
    return { blocks: `step >= ${first} AND step < ${end}`, steps: `${range} AND (${outside})` };
  return {
    blocks: `step >= ${first} AND step < ${end} AND step % ${stepsPerDay} NOT IN (${hours.join(', ')})`,
    steps: `${range} AND (${outside} OR ${isOfDay} IN (${hours.join(', ')}))`,
  };
}
