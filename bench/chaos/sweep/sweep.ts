import type { Violations } from '../invariants.ts';
import type { CallMade, Crash } from './crashPoint.ts';
import { type Place, playPoint } from './point.ts';
import type { Scenario } from './scenarios.ts';

export interface SweepOptions {
  readonly scenarios: readonly Scenario[];
  /** Empty storage for one run. */
  prepare(): Promise<Place & { remove(): Promise<void> }>;
  /** Selects the moments to try; defaults to all. */
  readonly pick?: <T>(moments: readonly T[]) => readonly T[];
  readonly say?: (text: string) => void;
}

export interface SweepReport {
  /** The number of simulated crashes. */
  readonly crashes: number;
  readonly violations: Violations;
}

/** A moment for a crash, optionally with a second one during the recovery. */
export interface Moment {
  readonly crashes: readonly Crash[];
  readonly name: string;
}

/**
 * Crashes a server at every one of its store and file calls, from start through the work to shutdown, and
 * during the recovery from a crash; each time another server must finish everything.
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
    // Recovery is the same whatever was lost, so it is interrupted after one crash only: in the middle of the
    // work.
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
