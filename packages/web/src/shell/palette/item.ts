import type { StateType } from '@millrace/contract';
import type { ComponentType } from 'react';

export type PaletteIcon = ComponentType<{ size: number; stroke: number; 'aria-hidden': true }>;

/** One line of the palette. It leads to a page, or does something. */
export interface PaletteItem {
  /** Unique in the list, and the same at every visit. */
  readonly id: string;
  readonly label: string;
  readonly icon: PaletteIcon;
  /** What tells it apart from others of the same name, such as a namespace. */
  readonly detail?: string | undefined;
  readonly state?: StateType | undefined;
  /** Ids and addresses are set like code. */
  readonly isCode?: boolean;
  /** Other words that it is found by. */
  readonly keywords?: string;
  readonly target:
    | { readonly kind: 'page'; readonly path: string }
    | { readonly kind: 'action'; run(): void; readonly staysOpen?: boolean };
}

export interface PaletteGroup {
  readonly id: string;
  readonly label: string;
  readonly items: readonly PaletteItem[];
  /** Why the group may lack something. */
  readonly problem?: { readonly text: string; retry(): void } | undefined;
}
