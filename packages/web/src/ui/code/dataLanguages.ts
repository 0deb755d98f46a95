import type { languages } from 'monaco-editor/editor';

interface DataLanguage {
  readonly id: string;
  readonly extensions: string[];
  readonly configuration: languages.LanguageConfiguration;
  readonly tokens: languages.IMonarchLanguage;
}

const escapes = /"(?:[^"\\]|\\.)*"/;

/** Languages of data files. Monaco colors JSON only together with a worker that checks it, which nothing here needs. */
export const dataLanguages: readonly DataLanguage[] = [
  {
    id: 'json',
    extensions: ['.json', '.jsonl', '.ndjson'],
    configuration: {
      brackets: [
        ['{', '}'],
        ['[', ']'],
      ],
      autoClosingPairs: [
        { open: '{', close: '}', notIn: ['string'] },
        { open: '[', close: ']', notIn: ['string'] },
        { open: '"', close: '"', notIn: ['string'] },
      ],
      wordPattern: /(-?\d*\.\d\w*)|([^[{\]}:",\s]+)/g,
    },
    tokens: {
      tokenPostfix: '',
      tokenizer: {
        root: [
          [new RegExp(`${escapes.source}(?=\\s*:)`), 'type'],
          [escapes, 'string'],
          // A text that is being typed has no end yet.
          [/"(?:[^"\\]|\\.)*$/, 'string'],
          [/\b(?:true|false|null)\b/, 'keyword'],
          [/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/, 'number'],
          [/[{}[\]]/, '@brackets'],
          [/[,:]/, 'delimiter'],
        ],
      },
    },
  },
  {
    id: 'csv',
    extensions: ['.csv', '.tsv'],
    configuration: { autoClosingPairs: [{ open: '"', close: '"', notIn: ['string'] }] },
    tokens: {
      tokenPostfix: '',
      tokenizer: {
        root: [
          [/"(?:[^"]|"")*"?/, 'string'],
          [/-?\d+(?:\.\d+)?(?=[,;\t]|$)/, 'number'],
          [/[,;\t]/, 'delimiter'],
          [/[^,;\t"]+/, ''],
        ],
      },
    },
  },
];
