export { NoCodeEditor, type NoCodeEditorProps } from './flow/NoCodeEditor.tsx';
