import type { NamespaceScope } from '@millrace/store';
import type { Config } from '../config/schema.ts';

/** Which namespaces are kept for how long. */
export interface RetentionRule extends NamespaceScope {
  readonly keepMs: number;
}

/**
 * The most specific setting applies: the namespace's, its nearest parent's, or the general one. Namespaces
 * that are kept forever have no rule, but they are excluded from the rules of their parents.
 */
export function retentionRules({ keep, namespaces }: Config['retention']): RetentionRule[] {
  const named = Object.keys(namespaces);
  const below = (parent: string): string[] => named.filter((name) => name.startsWith(`${parent}.`));
  return [
    ...(keep === 'forever' ? [] : [{ except: named, keepMs: keep }]),
    ...Object.entries(namespaces).flatMap(([within, kept]) =>
      kept === 'forever' ? [] : [{ within, except: below(within), keepMs: kept }],
    ),
  ];
}
