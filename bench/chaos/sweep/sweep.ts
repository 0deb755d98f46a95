import type { Violations } from '../invariants.ts';
import type { CallMade, Crash } from './doom.ts';
import { type Place, playPoint } from './point.ts';
import type { Scenario } from './scenarios.ts';

export interface SweepOptions {
  readonly scenarios: readonly Scenario[];
  /** An empty place for one play. */
  prepare(): Promise<Place & { remove(): Promise<void> }>;
  /** Which of the moments to try; all of them unless given. */
  readonly pick?: <T>(moments: readonly T[]) => readonly T[];
  readonly say?: (text: string) => void;
}

export interface SweepReport {
  /** How many times a server was killed. */
  readonly crashes: number;
  readonly violations: Violations;
}

/** A moment to die at, and for one that recovers from it perhaps another. */
export interface Moment {
  readonly crashes: readonly Crash[];
  readonly name: string;
}

/**
 * Kills a server at every single call that it makes of its store and its files, from its start over the work to its end,
 * and in the middle of recovering from that; each time another one must bring everything to its end.
 */
export async function sweep({
  scenarios,
  prepare,
  pick,
  say = () => {},
}: SweepOptions): Promise<SweepReport> {
  const violations: Violations = [];
  let crashes = 0;
  const play = async (scenario: Scenario, moment: Moment): Promise<readonly CallMade[]> => {
    const place = await prepare();
    try {
      const outcome = await playPoint(scenario, moment.crashes, place);
      for (const sentence of outcome.violations)
        violations.push(`${scenario.name}, killed ${moment.name}: ${sentence}`);
      return outcome.calls;
    } catch (error) {
      violations.push(`${scenario.name}, killed ${moment.name}: ${String(error)}`);
      return [];
    } finally {
      crashes += moment.crashes.length;
      await place.remove();
    }
  };
  for (const scenario of scenarios) {
    const calls = await play(scenario, { crashes: [], name: 'never' });
    const first = momentsOf(calls);
    // Recovering is the same whatever was lost, so it is cut short after one crash only: in the middle of the work.
    const middle = first.filter(({ crashes: [crash] }) => crash?.when === 'after').at(-3);
    const recovery = middle ? momentsOf(await play(scenario, middle), middle) : [];
    const moments = [...first, ...recovery];
    for (const moment of pick ? pick(moments) : moments) await play(scenario, moment);
    say(`${scenario.name}: ${moments.length} moments, ${violations.length} violations so far`);
  }
  return { crashes, violations };
}

export function momentsOf(calls: readonly CallMade[], after?: Moment): Moment[] {
  return calls.flatMap(({ name, writes }, index) => {
    const call = index + 1;
    const moments = [
      { call, when: 'before' as const },
      ...(writes ? [{ call, when: 'after' as const }] : []),
    ];
    return moments.map((crash) => ({
      crashes: [...(after?.crashes ?? []), crash],
      name: `${after ? `${after.name}, and again ` : ''}${crash.when} call ${call}, ${name}`,
    }));
  });
}
