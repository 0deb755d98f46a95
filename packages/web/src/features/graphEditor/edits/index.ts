export { type FlowText, readFlowText, standingOf } from './flowText.ts';
export { fill, insertElement, moveElement, placeholder, removeElement } from './graphEdits.ts';
export { elementIds, renameAll, renameText } from './renameElement.ts';
export type { Part, Slot } from './slot.ts';
