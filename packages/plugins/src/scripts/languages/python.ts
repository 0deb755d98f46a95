import { choice, flag, listOf, text } from '../../kit/dynamic.ts';
import { defineLanguage, type Language } from '../language.ts';
import { defineScriptTriggers } from '../scriptTrigger.ts';

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** An environment of its own for the task, when it needs packages. */
function installPackages({
  dependencies,
  packageManager,
}: Readonly<Record<string, unknown>>): readonly string[] {
  const packages = (dependencies as readonly string[] | undefined) ?? [];
  if (packages.length === 0) return [];
  const names = packages.map(quote).join(' ');
  const folder = '.millrace-venv';
  const make =
    packageManager === 'UV'
      ? [`if command -v uv >/dev/null; then uv venv -q ${folder}; else python3 -m venv ${folder}; fi`]
      : [`python3 -m venv ${folder}`];
  const install = `if command -v uv >/dev/null; then uv pip install -q ${names}; else pip install -q --disable-pip-version-check ${names}; fi`;
  return [
    ...make,
    `. ${folder}/bin/activate`,
    packageManager === 'UV' ? install : `pip install -q --disable-pip-version-check ${names}`,
  ];
}

const language: Language = {
  name: 'python',
  title: 'Python',
  trigger: 'print("ready")',
  containerImage: 'python:3.13-slim',
  aliases: ['io.kestra.core.tasks.scripts.Python'],
  file: { extension: '.py', command: "python3 '{file}'" },
  env: { PYTHONUNBUFFERED: 'true', PIP_ROOT_USER_ACTION: 'ignore' },
  prepare: installPackages,
  properties: {
    dependencies: listOf(text()).default([]).describe('Packages to install before the code runs.'),
    dependencyCacheEnabled: flag().default(true).describe('The package manager may use its cache.'),
    pythonVersion: text().optional().describe('The version, for runners that can choose one.'),
    packageManager: choice(['UV', 'PIP'])
      .default('UV')
      .describe('What installs the packages; `pip` where there is no `uv`.'),
  },
  script: {
    title: 'Compute a value.',
    runs: true,
    code: `id: python_script
namespace: company.team

tasks:
  - id: sum
    type: scripts.python.Script
    script: |
      import json
      total = sum(range(10))
      print("::" + json.dumps({"outputs": {"total": total}}) + "::")

  - id: show
    type: core.log.Log
    message: "{{ outputs.sum.vars.total }}"
`,
  },
  commands: {
    title: 'Run a file of the namespace.',
    runs: false,
    code: `id: python_commands
namespace: company.team

tasks:
  - id: run
    type: scripts.python.Commands
    namespaceFiles:
      enabled: true
    commands:
      - python3 main.py
`,
  },
};

export const python = defineLanguage(language);
export const pythonTriggers = defineScriptTriggers(language);
