import type { CSSProperties } from 'react';
import { createHighlighterCore, type HighlighterCore } from 'shiki/core';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';

/** The languages of the documentation. Each grammar is a separate file that loads when it is needed. */
const grammars = {
  bash: () => import('shiki/langs/bash.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  ini: () => import('shiki/langs/ini.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
};
export type Language = keyof typeof grammars;

const aliases: Readonly<Record<string, Language>> = {
  sh: 'bash',
  shell: 'bash',
  console: 'bash',
  dockerfile: 'docker',
  js: 'javascript',
  ts: 'typescript',
  py: 'python',
  yml: 'yaml',
  md: 'markdown',
  properties: 'ini',
};

export function languageOf(name: string): Language | undefined {
  const wanted = name.toLowerCase();
  return Object.hasOwn(grammars, wanted) ? (wanted as Language) : aliases[wanted];
}

export interface Token {
  readonly content: string;
  readonly style: CSSProperties;
}

let highlighter: Promise<HighlighterCore> | undefined;

/** The lines of the code as coloured pieces, each with its colour in the light and in the dark theme. */
export async function highlight(code: string, language: Language): Promise<Token[][]> {
  highlighter ??= createHighlighterCore({
    themes: [import('shiki/themes/github-light-high-contrast.mjs'), import('shiki/themes/github-dark.mjs')],
    langs: [],
    engine: createJavaScriptRegexEngine(),
  });
  const one = await highlighter;
  await one.loadLanguage(grammars[language]());
  const { tokens } = one.codeToTokens(code, {
    lang: language,
    themes: { light: 'github-light-high-contrast', dark: 'github-dark' },
    defaultColor: false,
  });
  return tokens.map((line) =>
    // BothThemes colours come as custom properties, which React's type does not know.
    line.map(({ content, htmlStyle }) => ({ content, style: (htmlStyle ?? {}) as CSSProperties })),
  );
}
