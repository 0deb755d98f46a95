import type { ComponentType } from 'react';

/** One component, shown in its states. */
export interface GalleryExample {
  readonly name: string;
  readonly show: ComponentType;
}
