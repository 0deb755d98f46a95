import type { Issue } from '@millrace/contract';

/** What expressions can know about a type before anything runs. */
export interface TypeShape {
  /** The JSON Schema of the outputs. */
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** Properties that are read as written: an expression in them is never rendered. */
  readonly fixed?: readonly string[];
  /** Properties that the type renders itself, perhaps with more variables. */
  readonly raw?: readonly string[];
  /** Expressions of the type see more variables than those of other types. */
  readonly addsVariables?: boolean;
}

/** The engine's view of a type that it does not implement itself. The plugins' catalogue provides it. */
export interface TypeInfo {
  /** The canonical name, for example `core.log.Log`, for every alias. */
  readonly type: string;
  readonly kind: TypeKind;
  readonly deprecated?: boolean;
  /** False for a task that only computes: it may start before its RUNNING state is on disk. */
  readonly sideEffects: boolean;
  /** False for a condition that tests an execution, because a schedule has none when it decides. */
  readonly onSchedule?: boolean;
  readonly shape?: TypeShape;
  /** Checks the properties of a definition, the common ones left out. Paths of the issues are relative to it. */
  check(properties: Readonly<Record<string, unknown>>): readonly TypeIssue[];
}

/** An issue of a definition; `unknownType` is the type of one of its parts that no plugin provides. */
export type TypeIssue = Issue & { readonly unknownType?: string };

export type TypeKind =
  | 'task'
  | 'trigger'
  | 'condition'
  | 'taskRunner'
  | 'chart'
  | 'dataFilter'
  | 'logExporter'
  | 'additionalPlugin'
  | 'storage';

/** Finds a type by its name or any alias. The engine has no other knowledge of plugins. */
export interface Catalogue {
  find(type: string): TypeInfo | undefined;
  /** The type of this kind that an unknown name most likely means. */
  nearest?(type: string, kind: TypeKind): string | undefined;
  /** For a type that is not supported on purpose: its replacement, as the end of a sentence. */
  insteadOf?(type: string): string | undefined;
}
