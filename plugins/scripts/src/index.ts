import type { Family } from '@millrace/plugin-kit';
import { evaluationTypes } from './evaluate/evaluations.ts';
import { scriptGroups } from './groups.ts';
import { bun } from './languages/bun.ts';
import { deno } from './languages/deno.ts';
import { dotnet } from './languages/dotnet.ts';
import { go, goTriggers } from './languages/go.ts';
import { groovy } from './languages/groovy.ts';
import { jbang } from './languages/jbang.ts';
import { julia } from './languages/julia.ts';
import { lua } from './languages/lua.ts';
import { node, nodeTriggers } from './languages/node.ts';
import { perl } from './languages/perl.ts';
import { php } from './languages/php.ts';
import { powershell } from './languages/powershell.ts';
import { python, pythonTriggers } from './languages/python.ts';
import { rLanguage } from './languages/r.ts';
import { ruby, rubyTriggers } from './languages/ruby.ts';
import { shell, shellTriggers } from './languages/shell.ts';
import { legacyScripts } from './legacyScripts.ts';
import { runners } from './runners.ts';

export { type CliProgram, cliProperties, cliTask, defineCliTask } from './cliTask.ts';
export { packFolder, unpackInto } from './docker/containerFiles.ts';
export { readOutput } from './docker/containerOutput.ts';
export { openEngine } from './docker/dockerHost.ts';
export {
  type EngineStep,
  isStatus,
  type Logins,
  loginOf,
  provideImage,
  pullImage,
  readProgress,
  withTag,
} from './docker/dockerImage.ts';
export { type DockerInput, dockerProperties } from './docker/dockerProperties.ts';
export { runInContainer } from './docker/dockerRunner.ts';
export { helperUrl } from './process/helperUrl.ts';
export {
  ProcessHelper,
  type ProcessHelperOptions,
  ProcessLost,
  type ProcessUser,
} from './process/processHelper.ts';
export {
  type CommandsEnd,
  folderVariables,
  prepareFolder,
  runCommands,
  runScript,
  type ScriptBody,
  toResult,
} from './runScript.ts';
export { type ReadLine, ScriptLog, type ScriptOutput, scriptOutput } from './scriptOutput.ts';
export { commandsProperty, type ScriptInput, scriptProperties } from './scriptProperties.ts';
export { shellQuote } from './shellQuote.ts';

const languages = [
  shell,
  python,
  node,
  bun,
  deno,
  dotnet,
  go,
  groovy,
  jbang,
  julia,
  lua,
  perl,
  php,
  powershell,
  rLanguage,
  ruby,
];

const triggers = [shellTriggers, pythonTriggers, nodeTriggers, goTriggers, rubyTriggers];

/** Every script task and trigger and the runners they can use. */
export const scriptsFamily: Family = {
  name: 'scripts',
  groups: scriptGroups,
  types: [...runners, ...languages.flat(), ...legacyScripts, ...evaluationTypes, ...triggers.flat()],
};
