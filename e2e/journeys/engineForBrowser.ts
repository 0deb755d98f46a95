/** What the browser gets of the engine when it is tested there. */
export { flowGraph, parseFlow } from '@millrace/engine';
export { simulate } from '@millrace/engine/simulator';
