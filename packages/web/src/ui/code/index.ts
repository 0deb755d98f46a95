export { CodeEditor } from './CodeEditor.tsx';
export type { CodeEditorProps } from './codeEditorProps.ts';
export { loadMonaco } from './loadMonaco.ts';
