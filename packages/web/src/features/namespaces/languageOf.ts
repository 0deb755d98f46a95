const languages: Readonly<Record<string, string>> = {
  yaml: 'yaml',
  yml: 'yaml',
  py: 'python',
  sh: 'shell',
  bash: 'shell',
  sql: 'sql',
  md: 'markdown',
  js: 'javascript',
  mjs: 'javascript',
  ts: 'javascript',
};

/** The editor's name for the language of a file, by its extension. */
export const languageOf = (path: string): string =>
  languages[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? 'plaintext';
