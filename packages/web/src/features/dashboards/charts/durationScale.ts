import { niceStep, tickLabel } from '../../../format/durationScale.ts';

/** An axis of seconds that is marked at round durations: 1 min and 2 min, not 50 s and 1 min 40 s. */
export function durationScale(highestSeconds: number, text: object) {
  const stepMs = niceStep(Math.max(highestSeconds * 1_000, 1), 4);
  const marks = Math.max(1, Math.ceil((highestSeconds * 1_000) / stepMs));
  return {
    interval: stepMs / 1_000,
    max: (marks * stepMs) / 1_000,
    axisLabel: { ...text, formatter: (seconds: number) => tickLabel(Math.round(seconds * 1_000), stepMs) },
  };
}

interface Drawn {
  data: readonly (number | null)[];
  stack?: string;
}

/** The highest place of what is drawn, stacked parts on top of each other. */
export function highestOf(series: readonly Drawn[], places: number): number {
  let highest = 0;
  for (let place = 0; place < places; place += 1) {
    let stacked = 0;
    for (const { data, stack } of series) {
      const amount = data[place] ?? 0;
      if (stack) stacked += amount;
      highest = Math.max(highest, amount, stacked);
    }
  }
  return highest;
}
