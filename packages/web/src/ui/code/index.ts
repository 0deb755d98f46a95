export { CodeEditor } from './CodeEditor.tsx';
export type { CodeEditorProps, LineNote } from './codeEditorProps.ts';
export { loadMonaco } from './loadMonaco.ts';
