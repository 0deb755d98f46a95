import type { Flow } from '@millrace/contract';
import { generateInput } from '@millrace/engine/dry-run';

/** A first suite for a flow: one case that expects success. */
export function firstSuite({ namespace, id, inputs }: Flow, suiteId: string): string {
  const given = (inputs ?? []).flatMap((input) => {
    const value = JSON.stringify(input.defaults ?? generateInput(input));
    // Defaults with expressions are rendered only when no value is given.
    return value.includes('{{') || value.includes('{%') ? [] : [`        ${input.id}: ${value}\n`];
  });
  return `id: ${suiteId}
namespace: ${namespace}
flowId: ${id}
testCases:
  - id: succeeds
    fixtures:
      now: 2026-01-01T08:00:00Z
${given.length > 0 ? `      inputs:\n${given.join('')}` : ''}    assertions:
      - state: SUCCESS
`;
}

/** An id that no suite has yet: `orders_test`, then `orders_test_2`. */
export function freeId(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted;
  for (let number = 2; ; number++) {
    const id = `${wanted}_${number}`;
    if (!taken.includes(id)) return id;
  }
}

/** The source with another id in its first `id:` line. */
export const withId = (source: string, id: string): string => source.replace(/^id: .*$/m, `id: ${id}`);
