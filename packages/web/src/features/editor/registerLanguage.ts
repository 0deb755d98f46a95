import type { Issue } from '@millrace/contract';
import type { CompletionKind, Fix, OutlineEntry, TextEdit } from '@millrace/engine/language';
import type { TFunction } from 'i18next';
import type { editor, IDisposable, IRange, languages } from 'monaco-editor/editor';
import type { MonacoModule } from '../../ui/code/loadMonaco.ts';
import { language as client } from '../language/index.ts';

interface Surroundings {
  /** Which texts are flows, by the end of their path. */
  readonly path: string;
  readonly t: TFunction;
  issues(): readonly Issue[];
  /** Called when the service is used, so that names outside of the text are read. */
  onUse(): void;
}

/** Makes the language service complete, explain and change the flows in the code editor. */
export function registerLanguage({ monaco, ownYaml }: MonacoModule, given: Surroundings): () => void {
  const { path, t } = given;
  const isFlow = (model: editor.ITextModel) => model.uri.path.endsWith(path);
  const rangeIn = (model: editor.ITextModel, { start, end }: { start: number; end: number }): IRange =>
    monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
  const kinds = completionKinds(monaco.languages.CompletionItemKind);
  const toEdits = (model: editor.ITextModel, edits: readonly TextEdit[]): languages.WorkspaceEdit => ({
    edits: edits.map(({ text, ...span }) => ({
      resource: model.uri,
      versionId: model.getVersionId(),
      textEdit: { range: rangeIn(model, span), text },
    })),
  });
  const at = (model: editor.ITextModel, position: { lineNumber: number; column: number }) =>
    [model.getValue(), model.getOffsetAt(position)] as const;
  /** A service that fails offers nothing; the text stays editable. */
  const ask = async <T>(model: editor.ITextModel, request: () => Promise<T>): Promise<T | undefined> => {
    if (!isFlow(model)) return undefined;
    given.onUse();
    return request().catch(() => undefined);
  };
  /** The same, for answers whose positions are wrong once the text has changed. */
  const askExactly = async <T>(
    model: editor.ITextModel,
    request: () => Promise<T>,
  ): Promise<T | undefined> => {
    const version = model.getVersionId();
    const found = await ask(model, request);
    return model.isDisposed() || model.getVersionId() !== version ? undefined : found;
  };

  const kept: IDisposable[] = [];
  // Runs after the edits of a fix: the value that it brought is the next one to type.
  kept.push(
    monaco.editor.registerCommand(
      selectCommand,
      (_, uri: string, selected: { start: number; end: number }) => {
        const shown = monaco.editor.getEditors().find((each) => each.getModel()?.uri.toString() === uri);
        const model = shown?.getModel();
        if (!shown || !model) return;
        const range = rangeIn(model, selected);
        shown.setSelection(range);
        shown.revealRangeInCenterIfOutsideViewport(range);
        shown.focus();
      },
    ),
  );
  kept.push(
    monaco.languages.registerCompletionItemProvider('yaml', {
      triggerCharacters: ['{', '.', ' ', '|', "'", '"', '('],
      provideCompletionItems: async (model, position) => {
        // Letters may be typed meanwhile; what stands before the position stays.
        const [text, end] = at(model, position);
        const found = await ask(model, () => client.complete(text, end));
        if (model.isDisposed()) return { suggestions: [] };
        const { InsertAsSnippet } = monaco.languages.CompletionItemInsertTextRule;
        return {
          suggestions: (found ?? []).map(({ label, kind, insert, from, detail, documentation }, index) => ({
            label,
            kind: kinds[kind],
            insertText: insert,
            ...(insert.includes('$0') && { insertTextRules: InsertAsSnippet }),
            filterText: filterTextOf(label, text.slice(from, end)),
            sortText: String(index).padStart(4, '0'),
            ...(detail !== undefined && { detail }),
            ...(documentation && { documentation }),
            range: rangeIn(model, { start: from, end }),
          })),
        };
      },
    }),
  );
  kept.push(
    monaco.languages.registerSignatureHelpProvider('yaml', {
      signatureHelpTriggerCharacters: ['(', ','],
      provideSignatureHelp: async (model, position) => {
        const found = await ask(model, () => client.signature(...at(model, position)));
        if (!found) return null;
        const { label, parameters, active, documentation } = found;
        const signature = { label, documentation, parameters: parameters.map((each) => ({ label: each })) };
        return {
          value: { signatures: [signature], activeSignature: 0, activeParameter: active },
          dispose: () => {},
        };
      },
    }),
  );
  kept.push(
    monaco.languages.registerHoverProvider('yaml', {
      provideHover: async (model, position) => {
        const found = await askExactly(model, () => client.hover(...at(model, position)));
        if (!found) return null;
        const { code, description, value } = found;
        const contents = [
          { value: `\`\`\`\n${code}\n\`\`\`` },
          ...(description === '' ? [] : [{ value: description }]),
        ];
        if (value) contents.push({ value: `${t('language.lastValue')}\n\`\`\`json\n${value.text}\n\`\`\`` });
        return { range: rangeIn(model, found), contents };
      },
    }),
  );
  kept.push(
    monaco.languages.registerDefinitionProvider('yaml', {
      provideDefinition: async (model, position) => {
        const found = await askExactly(model, () => client.symbol(...at(model, position)));
        return found?.definition ? { uri: model.uri, range: rangeIn(model, found.definition) } : null;
      },
    }),
  );
  kept.push(
    monaco.languages.registerReferenceProvider('yaml', {
      provideReferences: async (model, position, { includeDeclaration }) => {
        const found = await askExactly(model, () => client.symbol(...at(model, position)));
        const places = [
          ...(includeDeclaration && found?.definition ? [found.definition] : []),
          ...(found?.uses ?? []),
        ];
        return places.map((span) => ({ uri: model.uri, range: rangeIn(model, span) }));
      },
    }),
  );
  kept.push(
    monaco.languages.registerRenameProvider('yaml', {
      resolveRenameLocation: async (model, position) => {
        const found = await askExactly(model, () => client.symbol(...at(model, position)));
        const offset = model.getOffsetAt(position);
        const here = [...(found?.definition ? [found.definition] : []), ...(found?.uses ?? [])].find(
          ({ start, end }) => start <= offset && offset <= end,
        );
        const range = rangeIn(model, here ?? { start: offset, end: offset });
        if (found && here) return { range, text: found.id };
        return { range, text: '', rejectReason: t('language.cannotRename') };
      },
      provideRenameEdits: async (model, position, name) => {
        const found = await askExactly(model, () => client.rename(...at(model, position), name));
        if (found && 'edits' in found) return toEdits(model, found.edits);
        const reason = found?.refused ?? 'nothing';
        return { edits: [], rejectReason: t(`language.renameRefused.${reason}`, { name }) };
      },
    }),
  );
  kept.push(
    monaco.languages.registerCodeActionProvider('yaml', {
      provideCodeActions: async (model, range, { markers, trigger }) => {
        const span = {
          start: model.getOffsetAt({ lineNumber: range.startLineNumber, column: range.startColumn }),
          end: model.getOffsetAt({ lineNumber: range.endLineNumber, column: range.endColumn }),
        };
        const found = await askExactly(model, () => client.fixes(model.getValue(), span, given.issues()));
        // Changes of what is right are offered when asked for: they would light the bulb on every line.
        const isAsked = trigger === monaco.languages.CodeActionTriggerType.Invoke;
        const offered = (found ?? []).filter((fix) => isAsked || fix.issue || fix.kind === 'replaceType');
        const actions = offered.map((fix) => ({
          title: t(`language.fix.${fix.kind}`, { name: shortName(fix) }),
          kind: fix.issue ? 'quickfix' : actionKinds[fix.kind],
          isPreferred: fix.kind === 'replace',
          diagnostics: markers.filter(({ message }) => message === fix.issue?.message),
          edit: toEdits(model, fix.edits),
          ...(fix.selected && {
            command: { id: selectCommand, title: '', arguments: [model.uri.toString(), fix.selected] },
          }),
        }));
        return { actions: withoutDoubles(actions), dispose: () => {} };
      },
    }),
  );
  kept.push(
    monaco.languages.registerDocumentSymbolProvider('yaml', {
      provideDocumentSymbols: async (model) => {
        const found = await askExactly(model, () => client.outline(model.getValue()));
        const toSymbol = ({
          name,
          detail,
          kind,
          span,
          selection,
          children,
        }: OutlineEntry): languages.DocumentSymbol => ({
          name,
          detail,
          kind: monaco.languages.SymbolKind[
            kind === 'section' ? 'Namespace' : kind === 'element' ? 'Object' : 'Variable'
          ],
          tags: [],
          range: rangeIn(model, span),
          selectionRange: rangeIn(model, selection),
          children: children.map(toSymbol),
        });
        return (found ?? []).map(toSymbol);
      },
    }),
  );
  ownYaml(path, {
    first: async (model, position) => {
      const required = (await ask(model, () => client.required(...at(model, position)))) ?? [];
      return [...required, ...usualTypes];
    },
    explains: async (model, position) =>
      (await ask(model, () => client.hover(...at(model, position)))) !== undefined,
    format: async (model) => {
      const text = await askExactly(model, () => client.format(model.getValue()));
      return text === undefined ? [] : [{ range: model.getFullModelRange(), text }];
    },
  });
  return () => {
    for (const each of kept) each.dispose();
  };
}

/** Among types whose names fit the typed word equally well, these are offered first. */
const usualTypes = [
  'core.log.Log',
  'core.http.Request',
  'core.debug.Return',
  'core.flow.If',
  'core.flow.ForEach',
  'core.flow.Parallel',
  'core.flow.Sequential',
  'core.flow.Switch',
  'core.flow.Subflow',
  'core.trigger.Schedule',
  'core.trigger.Webhook',
  'core.trigger.Flow',
  'core.kv.Set',
  'core.kv.Get',
  'scripts.python.Script',
  'scripts.shell.Commands',
  'scripts.shell.Script',
  'scripts.node.Script',
  'jdbc.postgresql.Query',
  'jdbc.mysql.Query',
  'aws.s3.Download',
  'aws.s3.Upload',
];

const selectCommand = 'millrace.selectInserted';

type Kinds = MonacoModule['monaco']['languages']['CompletionItemKind'];

const completionKinds = (kinds: Kinds): Record<CompletionKind, languages.CompletionItemKind> => ({
  variable: kinds.Variable,
  property: kinds.Field,
  function: kinds.Function,
  filter: kinds.Method,
  keyword: kinds.Keyword,
  value: kinds.Value,
  file: kinds.File,
  reference: kinds.Reference,
});

const actionKinds: Readonly<Record<Fix['kind'], string>> = {
  replace: 'quickfix',
  addProperty: 'quickfix',
  replaceType: 'refactor.rewrite',
  extract: 'refactor.extract',
  wrap: 'refactor.rewrite',
};

/** `core.flow.If` is known as If. */
const shortName = ({ kind, name }: Fix): string =>
  kind === 'wrap' ? (name.split('.').at(-1) ?? name) : name;

const withoutDoubles = <T extends { readonly title: string }>(actions: readonly T[]): T[] => [
  ...new Map(actions.map((action) => [action.title, action])).values(),
];

/**
 * What the typed text is compared with. A label may begin with what it replaces: with that twice, a type of the same
 * group would match the name of another one.
 */
export function filterTextOf(label: string, replaced: string): string {
  const before = replaced.replace(/[\w-]*$/, '');
  return label.startsWith(before) ? label : before + label;
}
