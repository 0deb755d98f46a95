export { ElementEditor, type ElementEditorProps } from './flow/ElementEditor.tsx';
export type { AskedSchema } from './flow/formHost.ts';
export { NoCodeEditor, type NoCodeEditorProps } from './flow/NoCodeEditor.tsx';
