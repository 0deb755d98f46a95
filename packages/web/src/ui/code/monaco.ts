// Only ever reached through loadMonaco: this module is the largest of the app. It has all of Monaco's features but those
// that nothing here feeds: lenses, hints and suggestions in the line, linked editing, semantic colours,
// headers in the minimap, the parts of a diff editor, and tools for Monaco's makers.
import * as monaco from 'monaco-editor/editor';
import { CompletionModel } from 'monaco-editor/editor/contrib/suggest/browser/completionModel';
import 'monaco-editor/editor/contrib/suggest/browser/suggestController';
import 'monaco-editor/features/anchorSelect/register';
import 'monaco-editor/features/bracketMatching/register';
import 'monaco-editor/features/caretOperations/register';
import 'monaco-editor/features/clipboard/register';
import 'monaco-editor/features/codeAction/register';
import 'monaco-editor/features/codeEditor/register';
import 'monaco-editor/features/codicon/register';
import 'monaco-editor/features/colorPicker/register';
import 'monaco-editor/features/comment/register';
import 'monaco-editor/features/contextmenu/register';
import 'monaco-editor/features/cursorUndo/register';
import 'monaco-editor/features/dnd/register';
import 'monaco-editor/features/documentSymbols/register';
import 'monaco-editor/features/dropOrPasteInto/register';
import 'monaco-editor/features/find/register';
import 'monaco-editor/features/folding/register';
import 'monaco-editor/features/fontZoom/register';
import 'monaco-editor/features/format/register';
import 'monaco-editor/features/gotoError/register';
import 'monaco-editor/features/gotoLine/register';
import 'monaco-editor/features/gotoSymbol/register';
import 'monaco-editor/features/hover/register';
import 'monaco-editor/features/iPadShowKeyboard/register';
import 'monaco-editor/features/inPlaceReplace/register';
import 'monaco-editor/features/indentation/register';
import 'monaco-editor/features/insertFinalNewLine/register';
import 'monaco-editor/features/lineSelection/register';
import 'monaco-editor/features/linesOperations/register';
import 'monaco-editor/features/links/register';
import 'monaco-editor/features/longLinesHelper/register';
import 'monaco-editor/features/middleScroll/register';
import 'monaco-editor/features/multicursor/register';
import 'monaco-editor/features/parameterHints/register';
import 'monaco-editor/features/placeholderText/register';
import 'monaco-editor/features/quickCommand/register';
import 'monaco-editor/features/quickHelp/register';
import 'monaco-editor/features/quickOutline/register';
import 'monaco-editor/features/readOnlyMessage/register';
import 'monaco-editor/features/referenceSearch/register';
import 'monaco-editor/features/rename/register';
import 'monaco-editor/features/smartSelect/register';
import 'monaco-editor/features/snippet/register';
import 'monaco-editor/features/stickyScroll/register';
import 'monaco-editor/features/toggleHighContrast/register';
import 'monaco-editor/features/toggleTabFocusMode/register';
import 'monaco-editor/features/tokenization/register';
import 'monaco-editor/features/unicodeHighlighter/register';
import 'monaco-editor/features/unusualLineTerminators/register';
import 'monaco-editor/features/wordHighlighter/register';
import 'monaco-editor/features/wordOperations/register';
import 'monaco-editor/features/wordPartOperations/register';
import 'monaco-editor/languages/definitions/dockerfile/register';
import 'monaco-editor/languages/definitions/html/register';
import 'monaco-editor/languages/definitions/ini/register';
import 'monaco-editor/languages/definitions/javascript/register';
import 'monaco-editor/languages/definitions/markdown/register';
import 'monaco-editor/languages/definitions/python/register';
import 'monaco-editor/languages/definitions/r/register';
import 'monaco-editor/languages/definitions/shell/register';
import 'monaco-editor/languages/definitions/sql/register';
import 'monaco-editor/languages/definitions/typescript/register';
import 'monaco-editor/languages/definitions/xml/register';
import type { languages } from 'monaco-editor/editor';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import { conf, language } from 'monaco-editor/languages/definitions/yaml/yaml';
import { configureMonacoYaml, type JSONSchema, type MonacoYaml } from 'monaco-yaml';
import { afterPaint } from '../afterPaint.ts';
import { compareTypes, goesFirst } from './typeOrder.ts';
import YamlWorker from './yaml.worker.ts?worker';
import { yamlEnterRules } from './yamlEnterRules.ts';

interface DataLanguage {
  readonly id: string;
  readonly extensions: string[];
  readonly configuration: languages.LanguageConfiguration;
  readonly tokens: languages.IMonarchLanguage;
}

const escapes = /"(?:[^"\\]|\\.)*"/;

/** Languages of data files. Monaco colors JSON only together with a worker that checks it, which nothing here needs. */
const dataLanguages: readonly DataLanguage[] = [
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

export { monaco };

export interface YamlSchema {
  readonly uri: string;
  readonly fileMatch: readonly string[];
  readonly schema: Readonly<Record<string, unknown>>;
}

self.MonacoEnvironment = {
  getWorker: (_, label) => (label === 'yaml' ? new YamlWorker() : new EditorWorker()),
};

interface OldWorkerOptions {
  readonly createData?: unknown;
  readonly host?: Record<string, (...args: never[]) => unknown>;
  readonly keepIdleModels?: boolean;
}

/**
 * monaco-yaml still asks for its worker by module name. Monaco wants the worker itself since 0.53, and
 * without this bridge completion and validation are silently missing. The two messages are the greeting
 * that Monaco's own loader used to send.
 */
const bridged = {
  ...monaco,
  languages: {
    ...monaco.languages,
    registerCompletionItemProvider: (
      language: monaco.languages.LanguageSelector,
      provider: monaco.languages.CompletionItemProvider,
    ) => monaco.languages.registerCompletionItemProvider(language, withPlainWords(provider)),
    registerHoverProvider: (
      language: monaco.languages.LanguageSelector,
      provider: monaco.languages.HoverProvider,
    ) =>
      monaco.languages.registerHoverProvider(language, {
        ...provider,
        provideHover: async (...args) => {
          const [model, position] = args;
          // What the owner explains is more exact than the property around it.
          if (await ownerOf(model)?.explains(model, position)) return null;
          return withoutSource(await provider.provideHover(...args));
        },
      }),
    registerDocumentSymbolProvider: (
      language: monaco.languages.LanguageSelector,
      provider: monaco.languages.DocumentSymbolProvider,
    ) =>
      monaco.languages.registerDocumentSymbolProvider(language, {
        ...provider,
        provideDocumentSymbols: (model, token) =>
          ownerOf(model) ? [] : provider.provideDocumentSymbols(model, token),
      }),
    registerDocumentFormattingEditProvider: (
      language: monaco.languages.LanguageSelector,
      provider: monaco.languages.DocumentFormattingEditProvider,
    ) =>
      monaco.languages.registerDocumentFormattingEditProvider(language, {
        ...provider,
        provideDocumentFormattingEdits: (model, options, token) =>
          ownerOf(model)?.format(model) ?? provider.provideDocumentFormattingEdits(model, options, token),
      }),
    registerCodeActionProvider: (
      language: monaco.languages.LanguageSelector,
      provider: monaco.languages.CodeActionProvider,
    ) =>
      monaco.languages.registerCodeActionProvider(language, {
        ...provider,
        // Those of the schema offer every property and type that it has.
        provideCodeActions: (model, range, context, token) =>
          ownerOf(model) ? null : provider.provideCodeActions(model, range, context, token),
      }),
  },
  editor: {
    ...monaco.editor,
    // The owner reports what the server would refuse; the schema is stricter, for example about numbers as texts.
    setModelMarkers: (
      model: monaco.editor.ITextModel,
      owner: string,
      markers: monaco.editor.IMarkerData[],
    ): void => monaco.editor.setModelMarkers(model, owner, ownerOf(model) ? [] : markers),
    createWebWorker: (options: OldWorkerOptions) => {
      const worker = new YamlWorker();
      worker.postMessage('ignore');
      worker.postMessage(options.createData);
      return monaco.editor.createWebWorker({
        worker,
        keepIdleModels: options.keepIdleModels ?? false,
        ...(options.host && { host: options.host }),
      });
    },
  },
};

/**
 * monaco-yaml declares every entry a snippet. Monaco never takes one for what is typed already: Enter after a complete
 * word would choose the word again instead of ending the line.
 */
function withPlainWords(
  provider: monaco.languages.CompletionItemProvider,
): monaco.languages.CompletionItemProvider {
  const { InsertAsSnippet } = monaco.languages.CompletionItemInsertTextRule;
  return {
    ...provider,
    async provideCompletionItems(...args) {
      const [model, position] = args;
      const [list, first] = await Promise.all([
        provider.provideCompletionItems(...args),
        ownerOf(model)?.first(model, position),
      ]);
      if (first) sortFirst(list?.suggestions ?? [], first);
      for (const entry of list?.suggestions ?? [])
        if (entry.insertTextRules === InsertAsSnippet && !/[$\\}]/.test(entry.insertText))
          delete entry.insertTextRules;
      return list;
    },
  };
}

// Names of types have a separate order. Each list reads the comparison when it is made.
const compare = CompletionModel._compareCompletionItems;
CompletionModel._compareCompletionItems = (a, b) => compareTypes(a, b) || compare(a, b);

// The product's palette opens with the first key of Monaco's own binding.
monaco.editor.addKeybindingRule({
  keybinding: monaco.KeyMod.CtrlCmd | monaco.KeyCode.F1,
  command: 'editor.action.showHover',
  when: 'editorTextFocus',
});

// On Linux, Monaco formats with the keys that open the browser's developer tools.
monaco.editor.addKeybindingRule({
  keybinding: monaco.KeyMod.Shift | monaco.KeyMod.Alt | monaco.KeyCode.KeyF,
  command: 'editor.action.formatDocument',
  when: 'editorTextFocus && !editorReadonly',
});

/** A service that knows more about some YAML texts than their schema. */
export interface YamlOwner {
  /** The names of the properties to offer first at a position. */
  first(
    model: monaco.editor.ITextModel,
    position: { lineNumber: number; column: number },
  ): Promise<readonly string[]>;
  /** Whether the owner has an explanation of the position. */
  explains(
    model: monaco.editor.ITextModel,
    position: { lineNumber: number; column: number },
  ): Promise<boolean>;
  format(model: monaco.editor.ITextModel): Promise<monaco.languages.TextEdit[]>;
}

const owners = new Map<string, YamlOwner>();

/** Leaves outline, formatting, quick fixes and the order of properties of texts with this end of their path to the owner. */
export const ownYaml = (path: string, owner: YamlOwner): void => void owners.set(path, owner);

const ownerOf = (model: monaco.editor.ITextModel): YamlOwner | undefined =>
  [...owners].find(([path]) => model.uri.path.endsWith(path))?.[1];

/** monaco-yaml names the file of its schema below each explanation, which says nothing to a reader. */
function withoutSource(hover: monaco.languages.Hover | null | undefined): monaco.languages.Hover | null {
  if (!hover) return null;
  const contents = hover.contents.map((part) => ({
    ...part,
    value: part.value.replace(/\n*Source: \[[^\]]*\]\([^)]*\)\s*$/, ''),
  }));
  return { ...hover, contents };
}

function sortFirst(entries: monaco.languages.CompletionItem[], first: readonly string[]): void {
  for (const entry of entries) {
    const label = typeof entry.label === 'string' ? entry.label : entry.label.label;
    const rank = first.indexOf(label);
    const place = rank < 0 ? '1' : `${goesFirst}${String(rank).padStart(3, '0')}`;
    entry.sortText = `${place}${entry.sortText ?? label}`;
  }
}

// Known from the start, and not when a text in it is met: so the first picture of a flow has its colours.
monaco.languages.register({ id: 'yaml', extensions: ['.yaml', '.yml'], aliases: ['YAML', 'yaml'] });
monaco.languages.setLanguageConfiguration('yaml', { ...conf, onEnterRules: yamlEnterRules });
monaco.languages.setMonarchTokensProvider('yaml', language);

for (const { id, extensions, configuration, tokens } of dataLanguages) {
  monaco.languages.register({ id, extensions });
  monaco.languages.setLanguageConfiguration(id, configuration);
  monaco.languages.setMonarchTokensProvider(id, tokens);
}

const schemas = new Map<string, YamlSchema>();
let yaml: MonacoYaml | undefined;
let hasSchema = () => {};
const schemaGiven = new Promise<void>((resolve) => {
  hasSchema = resolve;
});
/** A text may be one that no schema is for. */
const schemaWaitMs = 2000;

/** Makes completion, hover and validation in matching YAML files follow the schema. */
export function setYamlSchema(given: YamlSchema): void {
  if (schemas.get(given.uri)?.schema === given.schema) return;
  schemas.set(given.uri, given);
  hasSchema();
  if (yaml) void yaml.update({ schemas: listedSchemas() });
}

let beginning: Promise<void> | undefined;

/**
 * Begins completion, hover and validation of YAML, once the text is painted and its schema is there: their worker is
 * large, and it starts again with each change of the schemas.
 */
export function preloadYaml(): Promise<void> {
  beginning ??= Promise.race([schemaGiven, new Promise((resolve) => setTimeout(resolve, schemaWaitMs))])
    .then(afterPaint)
    .then(() => {
      yaml = configureMonacoYaml(bridged as never, {
        // The bridge has the old shape on purpose.
        enableSchemaRequest: false,
        validate: true,
        hover: true,
        completion: true,
        format: { enable: true },
        schemas: listedSchemas(),
      });
    });
  return beginning;
}

const listedSchemas = () =>
  [...schemas.values()].map(({ uri, fileMatch, schema }) => ({
    uri,
    fileMatch: [...fileMatch],
    schema: schema as JSONSchema, // The server sends JSON Schema.
  }));
