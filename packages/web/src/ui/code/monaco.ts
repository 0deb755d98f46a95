// Only ever reached through loadMonaco: this module is the largest of the app.
import * as monaco from 'monaco-editor/editor';
import EditorWorker from 'monaco-editor/editor/editor.worker?worker';
import 'monaco-editor/features/register.all';
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
import 'monaco-editor/languages/definitions/yaml/register';
import { configureMonacoYaml, type JSONSchema, type MonacoYaml } from 'monaco-yaml';
import YamlWorker from './yaml.worker.ts?worker';

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
  editor: {
    ...monaco.editor,
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

const yaml: MonacoYaml = configureMonacoYaml(bridged as never, {
  // The bridge has the old shape on purpose.
  enableSchemaRequest: false,
  validate: true,
  hover: true,
  completion: true,
  format: { enable: true },
  schemas: [],
});

const schemas = new Map<string, YamlSchema>();

/** Makes completion, hover and validation in matching YAML files follow the schema. */
export function setYamlSchema(given: YamlSchema): void {
  if (schemas.get(given.uri)?.schema === given.schema) return;
  schemas.set(given.uri, given);
  void yaml.update({
    schemas: [...schemas.values()].map(({ uri, fileMatch, schema }) => ({
      uri,
      fileMatch: [...fileMatch],
      schema: schema as JSONSchema, // The server sends JSON Schema.
    })),
  });
}
