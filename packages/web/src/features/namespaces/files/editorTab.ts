import { nameOf } from './fileQueries.ts';

/** One thing that is open in an editor: the flow itself, or a file of its namespace. */
export interface EditorTab {
  readonly name: string;
  readonly path: string;
  readonly extension: string;
  /** It has no button to close it. */
  readonly persistent: boolean;
  /** Something in it is not saved. */
  readonly dirty: boolean;
  readonly flow: boolean;
}

export function fileTab(path: string, dirty: boolean): EditorTab {
  const name = nameOf(path);
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
  return { name, path, extension, persistent: false, dirty, flow: false };
}

/** The flow stands first among its files and cannot be closed. No file has an empty path. */
export const flowTab = (name: string, dirty: boolean): EditorTab => ({
  name,
  path: '',
  extension: 'yaml',
  persistent: true,
  dirty,
  flow: true,
});
