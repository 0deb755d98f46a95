/** The kinds of time window and the properties of each. */
export const windowTypes = {
  DURATION_WINDOW: { required: [], optional: ['window', 'windowAdvance'] },
  SLIDING_WINDOW: { required: [], optional: ['window'] },
  DAILY_TIME_DEADLINE: { required: ['deadline'], optional: [] },
  DAILY_TIME_WINDOW: { required: ['startTime', 'endTime'], optional: [] },
} as const satisfies Record<string, { required: readonly string[]; optional: readonly string[] }>;
export type WindowType = keyof typeof windowTypes;

export function findWindowType(type: unknown): WindowType | undefined {
  if (type === undefined || type === null) return 'DURATION_WINDOW';
  return Object.keys(windowTypes).find((known): known is WindowType => known === type);
}
