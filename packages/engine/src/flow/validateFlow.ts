import type { Flow, PluginDefault } from '@millrace/contract';
import type { Catalogue } from '../catalogue.ts';
import type { Findings } from './findings.ts';
import { checkUniqueIds } from './rules/uniqueIds.ts';

export interface ValidateOptions {
  readonly catalogue?: Catalogue;
  readonly globalDefaults?: readonly PluginDefault[];
}

/** Applies every rule that needs the whole flow. Shapes and single properties were checked while reading. */
export function validateFlow(flow: Flow, findings: Findings, _options: ValidateOptions = {}): void {
  checkUniqueIds(flow, findings);
}
