export { CodeEditor, type CodeEditorProps } from './CodeEditor.tsx';
export { loadMonaco } from './loadMonaco.ts';
