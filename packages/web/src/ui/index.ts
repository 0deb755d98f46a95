export { StateGlyph } from './StateGlyph.tsx';
export { StatePill, stateColours } from './StatePill.tsx';
