import { raw, type Sql } from '../filters/sql.ts';
import { blockSums, firstStepOfBlock, stepMs, stepsPerBlock, stepsPerDay } from '../rows/rollUp.ts';
import type { StepWindow } from './stepWindow.ts';

/** Parsing a longer statement takes longer than the blocks save. */
const maxBlocks = 4_000;

/** The roll-up rows of a window: their subject and a condition on their step. */
export interface RollUpSpan {
  readonly subject: number;
  readonly steps: Sql;
}

/**
 * The rows of a window: four-hour rows where these lie within one unit (a local day, for example), and
 * half-hour rows elsewhere. The numbers are computed here and are part of the SQL text. `unitOf` is the unit that an
 * instant falls into; it is absent when nothing is grouped by the date.
 */
export function rollUpSpans(
  subject: number,
  { firstStep, endStep }: StepWindow,
  unitOf?: (at: number) => number,
): RollUpSpan[] {
  const range = raw(`step >= ${firstStep} AND step < ${endStep}`);
  const first = Math.ceil(firstStep / stepsPerBlock) * stepsPerBlock;
  const end = Math.floor(endStep / stepsPerBlock) * stepsPerBlock;
  if (firstStep < 0 || first >= end || (end - first) / stepsPerBlock > maxBlocks)
    return [{ subject, steps: range }];
  const isCut = (block: number): boolean =>
    unitOf !== undefined && unitOf(block * stepMs) !== unitOf((block + stepsPerBlock) * stepMs - 1);
  // The days of a time zone begin at the same one or two hours of UTC, before and after the clock changes.
  const hours = new Set<number>();
  for (let block = first; block < end; block += stepsPerBlock) {
    if (isCut(block)) hours.add(block % stepsPerDay);
  }
  if (hours.size === stepsPerDay / stepsPerBlock) return [{ subject, steps: range }];
  // Nearly all blocks are needed, but few half hours: these are looked up one by one.
  const steps: number[] = [];
  for (let step = firstStep; step < endStep; step++) {
    const block = firstStepOfBlock(step);
    if (step < first || step >= end || hours.has(block % stepsPerDay)) steps.push(step);
  }
  const left = hours.size === 0 ? '' : ` AND step % ${stepsPerDay} NOT IN (${[...hours].join(', ')})`;
  return [
    { subject: subject + blockSums, steps: raw(`step >= ${first} AND step < ${end}${left}`) },
    ...(steps.length === 0 ? [] : [{ subject, steps: raw(`step IN (${steps.join(', ')})`) }]),
  ];
}
