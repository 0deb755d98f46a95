const languages: Readonly<Record<string, string>> = {
  yaml: 'yaml',
  yml: 'yaml',
  json: 'json',
  jsonl: 'json',
  ndjson: 'json',
  csv: 'csv',
  tsv: 'csv',
  py: 'python',
  sh: 'shell',
  bash: 'shell',
  sql: 'sql',
  md: 'markdown',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  r: 'r',
  html: 'html',
  xml: 'xml',
  ini: 'ini',
  toml: 'ini',
  properties: 'ini',
  dockerfile: 'dockerfile',
};

/** The editor's name for the language of a file, by its extension. */
export const languageOf = (path: string): string =>
  languages[path.slice(Math.max(path.lastIndexOf('.'), path.lastIndexOf('/')) + 1).toLowerCase()] ??
  'plaintext';
