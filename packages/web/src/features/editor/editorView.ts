import { editorSides, readSetting, settings } from '../../storage/settings.ts';
import { readStored, writeStored } from '../../storage/storage.ts';

export type EditorView = (typeof settings.editorType.values)[number];

/**
 * The view that was chosen last. It holds while the setting is what it was then: a change of the setting is the newer
 * choice of the two.
 */
export function firstView(): EditorView {
  const setting = readSetting('editorType');
  const [since, chosen] = (readStored('editorView') ?? '').split(' ');
  return (since === setting && settings.editorType.values.find((view) => view === chosen)) || setting;
}

export const rememberView = (view: EditorView): void =>
  writeStored('editorView', `${readSetting('editorType')} ${view}`);

export type EditorSide = (typeof editorSides)[number];

export const firstSide = (): EditorSide =>
  editorSides.find((side) => side === readStored('editorSide')) ?? 'topology';

export const rememberSide = (side: EditorSide): void => writeStored('editorSide', side);
