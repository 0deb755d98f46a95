import { choice, flag, listOf, text, textOf } from '@millrace/plugin-kit';
import { defineLanguage, type Language } from '../language.ts';
import { defineScriptTriggers } from '../scriptTrigger.ts';
import { shellQuote as quote } from '../shellQuote.ts';

const folder = '.millrace-venv';

/** Creates a virtual environment for a task that needs packages or a version. Nothing outside it changes. */
function prepareEnvironment(input: Readonly<Record<string, unknown>>): readonly string[] {
  const names = ((input.dependencies as readonly string[] | undefined) ?? []).map(quote).join(' ');
  const version = typeof input.pythonVersion === 'string' ? input.pythonVersion : undefined;
  if (names === '' && version === undefined) return [];
  const [uvVersion, uvSha256] = [textOf(input.uvInstallerVersion), textOf(input.uvInstallerSha256)];
  const isCached = input.dependencyCacheEnabled !== false;
  const byPip = `pip install -q --disable-pip-version-check${isCached ? '' : ' --no-cache-dir'}`;
  const byUv = `uv pip install -q${isCached ? '' : ' --no-cache'}`;
  const make = `${version === undefined ? 'python3' : quote(`python${version}`)} -m venv ${folder}`;
  const enter = `. ${folder}/bin/activate`;
  const install = (by: string) => (names === '' ? [] : [`${by} ${names}`]);
  if (input.packageManager !== 'UV') return [make, enter, ...install(byPip)];
  const wantsUv = input.uvAutoInstallEnabled !== false && names !== '';
  const fromPip = uvVersion === undefined ? 'uv' : quote(`uv==${uvVersion}`);
  const withoutUv = !wantsUv
    ? install(byPip)
    : uvSha256 === undefined
      ? [`if ${byPip} ${fromPip} 2>/dev/null; then ${byUv} ${names}; else ${byPip} ${names}; fi`]
      : [...installChecked(uvVersion, uvSha256), `${byUv} ${names}`];
  const makeByUv = `uv venv -q${version === undefined ? '' : ` --python ${quote(version)}`} ${folder}`;
  // The commands are not joined with `&&`: the shell continues after a failure inside such a list.
  return [
    'if command -v uv >/dev/null; then',
    ...[makeByUv, enter, ...install(byUv)],
    'else',
    ...[make, enter, ...withoutUv],
    'fi',
  ];
}

const download = `import hashlib, sys, urllib.request
content = urllib.request.urlopen(sys.argv[1]).read()
found = hashlib.sha256(content).hexdigest()
if found != sys.argv[2].lower(): sys.exit(f"The installer of uv has the SHA-256 {found}, expected {sys.argv[2]}.")
open(sys.argv[3], "wb").write(content)`;

/** Runs the installer of uv only when it has the expected checksum. It installs into the environment of the task. */
function installChecked(version: string | undefined, sha256: string): readonly string[] {
  const url = `https://astral.sh/uv/${version === undefined ? '' : `${version}/`}install.sh`;
  const installer = `${folder}/uv-install.sh`;
  return [
    `python3 -c ${quote(download)} ${quote(url)} ${quote(sha256)} ${installer}`,
    `UV_UNMANAGED_INSTALL="$PWD/${folder}/bin" sh ${installer} >/dev/null`,
  ];
}

const language: Language = {
  name: 'python',
  title: 'Python',
  trigger: 'print("ready")',
  containerImage: 'python:3.13-slim',
  file: { extension: '.py', command: "python3 '{file}'" },
  env: { PYTHONUNBUFFERED: 'true', PIP_ROOT_USER_ACTION: 'ignore' },
  prepare: prepareEnvironment,
  properties: {
    dependencies: listOf(text()).default([]).describe('Packages to install before the code runs.'),
    dependencyCacheEnabled: flag()
      .default(true)
      .describe('The package manager may take packages from its cache and leave them there.'),
    pythonVersion: text()
      .optional()
      .describe(
        'The version to run with, such as `3.12`: `uv` finds or fetches it, `pip` needs it installed.',
      ),
    packageManager: choice(['UV', 'PIP'])
      .default('UV')
      .describe('The program that installs the packages; `pip` where there is no `uv`.'),
    uvAutoInstallEnabled: flag()
      .default(true)
      .describe('Where there is no `uv`, install it into the environment of the task first.'),
    uvInstallerVersion: text()
      .optional()
      .describe('The version of `uv` to install, such as `0.9.5`; the newest when absent.'),
    uvInstallerSha256: text()
      .optional()
      .describe(
        'The SHA-256 of the installer script of `uv`. With it `uv` comes from its own installer instead of a package index, and another checksum fails the task.',
      ),
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
    title: 'Run a file that the task brings along; `namespaceFiles` brings those of the namespace.',
    runs: true,
    code: `id: python_commands
namespace: company.team

tasks:
  - id: run
    type: scripts.python.Commands
    inputFiles:
      main.py: |
        import sys
        print(f"{len(sys.argv) - 1} arguments")
    commands:
      - python3 main.py one two
`,
  },
};

export const python = defineLanguage(language);
export const pythonTriggers = defineScriptTriggers(language);
