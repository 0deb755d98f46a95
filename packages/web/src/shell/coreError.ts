import { observable } from '../state/observable.ts';

export type CoreError = 401 | 403 | 404;

/** The error that replaces the page until the next navigation. It is raised far from React, by failed calls. */
const current = observable<CoreError | undefined>(undefined);

export const setCoreError = current.set;
export const useCoreError = current.use;
