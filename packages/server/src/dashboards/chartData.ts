import { aggregations } from '@millrace/contract';
import type { DataFilterDefinition, PluginCatalogue } from '@millrace/plugin-kit';
import { z } from 'zod';

const Column = z.object({
  field: z.string().optional(),
  agg: z.enum(aggregations).optional(),
  labelKey: z.string().optional(),
});
export type ChartColumn = z.infer<typeof Column>;

export interface ChartWhere {
  readonly type: string;
  readonly field?: string | undefined;
  readonly labelKey?: string | undefined;
  readonly value?: unknown;
  readonly values?: readonly unknown[] | undefined;
}

export const Where = z.object({
  type: z.string(),
  field: z.string().optional(),
  labelKey: z.string().optional(),
  value: z.unknown().optional(),
  values: z.array(z.unknown()).optional(),
});

const Data = z.object({
  columns: z.union([Column.extend({ agg: z.enum(aggregations) }), z.record(z.string(), Column)]),
  where: z.array(Where).optional(),
  numerator: z.array(Where).optional(),
  orderBy: z.array(z.object({ column: z.string(), order: z.string().default('ASC') })).optional(),
});

export type ChartData = z.infer<typeof Data> & {
  readonly definition: DataFilterDefinition;
  /** All properties as written, those of the type's own among them. */
  readonly written: Readonly<Record<string, unknown>>;
};

/** The data of a chart that has been checked. */
export function readData(data: unknown, catalogue: PluginCatalogue): ChartData | undefined {
  const { type, ...written } = data as { type: string }; // Checked: a map with a known type.
  const definition = catalogue.find(type)?.definition;
  const read = Data.safeParse(data);
  return definition?.kind === 'dataFilter' && read.success
    ? { ...read.data, definition, written }
    : undefined;
}

/** By name. A single number may be written without one. */
export function columnsOf({ columns }: ChartData): Map<string, ChartColumn> {
  const single = Column.extend({ agg: z.enum(aggregations) }).safeParse(columns);
  if (single.success) return new Map([['value', single.data]]);
  return new Map(Object.entries(columns as Record<string, ChartColumn>)); // The other branch of the union.
}
