/** The families the editor can be set in. The first is bundled; the others must be on the reader's machine. */
export const editorFonts = [
  'JetBrains Mono',
  'Source Code Pro',
  'Fira Code',
  'Menlo',
  'Consolas',
  'Monaco',
  'Courier New',
  'Cascadia Code',
  'Ubuntu Mono',
  'SimSun',
  'Georgia',
  'serif',
] as const;

export const editorFontStack = (family: string): string =>
  family
    ? `"${family.replaceAll('"', '')}", "JetBrains Mono Variable", monospace`
    : '"JetBrains Mono Variable", monospace';
