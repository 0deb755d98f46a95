import { type Host, render, renderDeep, renderTyped } from '@millrace/expression';
import type { Variables } from '../context.ts';
import type { TaskContext } from '../definition.ts';

/** The real expression language over the given variables, with a fixed clock. */
export function aRenderer(
  variables: Variables,
  host: Partial<Host> = {},
): Pick<TaskContext, 'render' | 'renderTyped'> {
  const outside: Host = { now: () => Date.UTC(2026, 0, 31), random: () => 0.5, id: () => 'id1', ...host };
  const typed = async (value: unknown, visible: Variables): Promise<unknown> => {
    if (typeof value === 'string') return renderTyped(value, visible, outside);
    if (Array.isArray(value)) return Promise.all(value.map((item) => typed(item, visible)));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(async ([key, item]) => [
      await render(key, visible, outside),
      await typed(item, visible),
    ]);
    return Object.fromEntries(await Promise.all(entries));
  };
  return {
    render: async (value, extra) => renderDeep(value, { ...variables, ...extra }, outside),
    renderTyped: (value, extra) => typed(value, { ...variables, ...extra }),
  };
}
