import { z } from 'zod';
import { count, listSearch, several, text } from '../../searchParams.ts';

const FlowsSearch = z.object({ ...listSearch, labels: several(z.string()) });
export type FlowsSearch = z.infer<typeof FlowsSearch>;
export const parseFlowsSearch = (raw: Record<string, unknown>): FlowsSearch => FlowsSearch.parse(raw);

const FlowCreateSearch = z.object({ namespace: text });
export type FlowCreateSearch = z.infer<typeof FlowCreateSearch>;
export const parseFlowCreateSearch = (raw: Record<string, unknown>): FlowCreateSearch =>
  FlowCreateSearch.parse(raw);

/** A flow's tabs share one address, so the parameters of all of them are listed here. */
const FlowSearch = z.object({ revisionLeft: count, revisionRight: count });
export type FlowSearch = z.infer<typeof FlowSearch>;
export const parseFlowSearch = (raw: Record<string, unknown>): FlowSearch => FlowSearch.parse(raw);
