import type { editor } from 'monaco-editor/editor';

export type Scheme = 'light' | 'dark';

/** Monaco paints with its own theme objects: this one is built from the colours of the page. */
export function readTheme(scheme: Scheme): editor.IStandaloneThemeData {
  const style = tokensOf(scheme);
  const token = (name: string): string => asHex(style.getPropertyValue(`--mr-${name}`).trim());
  const [text, muted, brand] = [token('text'), token('text-muted'), token('brand')];
  const rule = (name: string, colour: string, fontStyle = '') => ({
    token: name,
    foreground: colour.slice(1),
    fontStyle,
  });
  return {
    base: scheme === 'dark' ? 'vs-dark' : 'vs',
    inherit: true,
    rules: [
      rule('', text),
      rule('comment', muted, 'italic'),
      rule('type', brand),
      rule('tag', brand),
      rule('keyword', token('violet-text')),
      rule('number', token('amber-text')),
      // Named again, because the base theme has a separate rule for strings in YAML.
      ...['string', 'string.yaml'].map((name) => rule(name, token('green-text'))),
      rule('operators', muted),
      rule('delimiter', muted),
    ],
    colors: {
      'editor.background': token('surface'),
      'editor.foreground': text,
      'editorLineNumber.foreground': muted,
      'editorLineNumber.activeForeground': text,
      'editorGutter.background': token('surface'),
      'editor.lineHighlightBackground': `${token('surface-2')}99`,
      'editor.lineHighlightBorder': '#00000000',
      'editor.selectionBackground': `${brand}40`,
      'editorCursor.foreground': brand,
      'editorIndentGuide.background1': token('border'),
      'editorIndentGuide.activeBackground1': token('border-strong'),
      'editorWidget.background': token('surface'),
      'editorWidget.border': token('border-strong'),
      'editorSuggestWidget.background': token('surface'),
      'editorSuggestWidget.border': token('border-strong'),
      'editorSuggestWidget.foreground': text,
      'editorSuggestWidget.highlightForeground': brand,
      'editorSuggestWidget.selectedBackground': token('brand-tint'),
      'editorSuggestWidget.selectedForeground': text,
      'editorSuggestWidget.focusHighlightForeground': brand,
      'widget.border': token('border-strong'),
      'quickInput.background': token('surface'),
      'quickInput.foreground': text,
      'quickInputList.focusBackground': token('brand-tint'),
      'quickInputList.focusForeground': text,
      'quickInputList.focusHighlightForeground': brand,
      'list.highlightForeground': brand,
      'pickerGroup.foreground': muted,
      'editorActionList.background': token('surface'),
      'editorActionList.foreground': text,
      'editorActionList.focusBackground': token('brand-tint'),
      'editorActionList.focusForeground': text,
      'editor.rangeHighlightBackground': token('accent-tint'),
      'input.background': token('surface'),
      'input.foreground': text,
      'input.border': token('border-strong'),
      'list.hoverBackground': token('surface-2'),
      'list.hoverForeground': text,
      'menu.background': token('surface'),
      'menu.foreground': text,
      'menu.selectionBackground': token('brand-tint'),
      'menu.selectionForeground': text,
      'menu.border': token('border-strong'),
      foreground: text,
      descriptionForeground: muted,
      'editorHoverWidget.foreground': text,
      'editorHoverWidget.background': token('surface'),
      'editorHoverWidget.border': token('border-strong'),
      'editorError.foreground': token('red-solid'),
      'editorWarning.foreground': token('amber-solid'),
      'editorInfo.foreground': token('sky-solid'),
      'editorStickyScroll.background': token('surface'),
      'editorStickyScrollHover.background': token('surface-2'),
      'scrollbar.shadow': '#00000000',
      'scrollbarSlider.background': `${muted}44`,
      'scrollbarSlider.hoverBackground': `${muted}66`,
      focusBorder: brand,
    },
  };
}

/** The build shortens `#ffffff` to `#fff`. Without a style sheet, as in a test, there is nothing to read. */
export function asHex(colour: string): string {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(colour);
  if (short) return `#${short[1]}${short[1]}${short[2]}${short[2]}${short[3]}${short[3]}`;
  return /^#[0-9a-f]{6}$/i.test(colour) ? colour : '#000000';
}

/** The colours of a scheme, also of the one that the page is not in. */
function tokensOf(scheme: Scheme): CSSStyleDeclaration {
  const probe = document.createElement('span');
  probe.setAttribute('data-mantine-color-scheme', scheme);
  probe.hidden = true;
  document.body.append(probe);
  // The declaration is live: it is empty once its element is gone, so it is read before that.
  const style = getComputedStyle(probe);
  queueMicrotask(() => probe.remove());
  return style;
}
