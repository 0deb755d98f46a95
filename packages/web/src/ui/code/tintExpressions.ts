import type { editor } from 'monaco-editor/editor';

const EXPRESSION = '\\{\\{[^\\n]*?\\}\\}';
const MOST = 2000;

/** Tints `{{ … }}` so that what is computed stands out from what is written. Returns how to stop. */
export function tintExpressions(code: editor.IStandaloneCodeEditor, className: string): () => void {
  const decorations = code.createDecorationsCollection();
  const paint = () => {
    const model = code.getModel();
    const found = model?.findMatches(EXPRESSION, false, true, false, null, false, MOST) ?? [];
    decorations.set(found.map(({ range }) => ({ range, options: { inlineClassName: className } })));
  };
  paint();
  let frame = 0;
  const listener = code.onDidChangeModelContent(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(paint);
  });
  return () => {
    cancelAnimationFrame(frame);
    listener.dispose();
    decorations.clear();
  };
}
