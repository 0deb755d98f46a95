import type { Issue } from '@millrace/contract';

/** What the engine must know of a type it does not itself implement. The plugins' catalogue provides it. */
export interface TypeInfo {
  /** The canonical name, for example `core.log.Log`, whatever alias was asked for. */
  readonly type: string;
  readonly kind: TypeKind;
  readonly deprecated?: boolean;
  /** False for a task that only computes: it may start before its RUNNING state is on disk. */
  readonly sideEffects: boolean;
  /** False for a condition that looks at an execution: a schedule has none when it decides. */
  readonly onSchedule?: boolean;
  /** Checks the properties of a definition, the common ones left out. Paths of the issues are relative to it. */
  check(properties: Readonly<Record<string, unknown>>): readonly Issue[];
}

export type TypeKind =
  | 'task'
  | 'trigger'
  | 'condition'
  | 'taskRunner'
  | 'chart'
  | 'dataFilter'
  | 'logExporter'
  | 'storage';

/** Finds a type by its name or any alias. The engine is given one and never learns which plugins exist. */
export interface Catalogue {
  find(type: string): TypeInfo | undefined;
  /** The type of this kind that an unknown name most likely means. */
  nearest?(type: string, kind: TypeKind): string | undefined;
}
