import type { Part } from './options.ts';
import { measureComplex } from './parts/complex.ts';
import { measureLargeServer } from './parts/largeServer.ts';
import { measureLists } from './parts/lists.ts';
import { measureLoops } from './parts/loops.ts';
import { measureReaders } from './parts/readers.ts';
import { measureRemote } from './parts/remote.ts';
import { measureShell } from './parts/shell.ts';
import { measureSimple } from './parts/simple.ts';
import { measureSoak } from './parts/soak.ts';
import type { Stage } from './parts/stage.ts';
import { measureStart } from './parts/start.ts';
import { measureStorage } from './parts/storage.ts';
import type { Figures } from './report/figures.ts';

const measures: readonly [Part, (stage: Stage) => Promise<Figures>][] = [
  ['start', measureStart],
  ['simple', measureSimple],
  ['storage', measureStorage],
  ['remote', measureRemote],
  ['complex', measureComplex],
  ['loops', measureLoops],
  ['shell', measureShell],
  ['largeServer', measureLargeServer],
  ['lists', measureLists],
  ['readers', measureReaders],
  ['soak', measureSoak],
];

/** Runs the selected parts one after the other; nothing else may use the cores during a measurement. */
export async function measureDatabase(stage: Stage): Promise<Figures> {
  const figures: Figures = {};
  for (const [part, measure] of measures) {
    if (stage.options.parts.has(part)) Object.assign(figures, await measure(stage));
  }
  const { b1PerSecond, storagePerSecond } = figures;
  if (b1PerSecond !== undefined && storagePerSecond !== undefined) {
    figures.storageShare = (b1PerSecond / storagePerSecond) * 100;
  }
  return figures;
}
