import { type ConditionSubject, type ForeignCondition, type Host, renderDeep } from '@millrace/expression';
import type { ConditionDefinition } from './definition.ts';
import { readInput, renderProperties } from './runTask.ts';

/** The time limit of a condition, because a trigger waits for its conditions. */
const longestMs = 30_000;

/** Evaluates a condition of a plugin; undefined for a condition that the engine evaluates itself. */
export function testCondition(
  definition: ConditionDefinition,
  { type, ...written }: ForeignCondition,
  { variables, flow, execution, date }: ConditionSubject,
  host: Host,
): Promise<boolean> | undefined {
  const { test } = definition;
  if (!test) return undefined;
  const signal = AbortSignal.timeout(longestMs);
  const render = async (value: unknown) => renderDeep(value, variables, host);
  const ask = async () => {
    const input = readInput(type, definition.input, await renderProperties(definition, written, { render }));
    const answer: unknown = await test(
      {
        flow,
        variables,
        ...(execution ? { execution } : {}),
        ...(date === undefined ? {} : { date: new Date(date) }),
        render,
        signal,
      },
      input,
    );
    if (typeof answer === 'boolean') return answer;
    throw new Error(`The condition "${type}" must answer true or false, and answered ${String(answer)}.`);
  };
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () =>
      reject(new Error(`The condition "${type}" did not answer within ${longestMs / 1000} seconds.`)),
    );
  });
  return Promise.race([ask(), late]);
}
