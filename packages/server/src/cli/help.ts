import { type Command, type Option, UsageError } from './command.ts';

const introduction =
  'Millrace runs flows: tasks in YAML, started by people, schedules, webhooks and other programs.';

/** The text of `--help`: for everything, a group of commands such as `flow`, or one command. */
export function writeHelp(about: string, commands: readonly Command[]): string {
  const exact = commands.find((command) => command.name === about);
  if (exact) return helpOfCommand(exact);
  const members = commands.filter((command) => about === '' || command.name.startsWith(`${about} `));
  if (members.length === 0) throw new UsageError(`There is no help about "${about}".`);
  const list = listOf(members.map((command) => [`${command.name} ${command.usage}`.trim(), command.summary]));
  const server = commands.find((command) => command.name === 'server');
  if (about !== '') return `Usage: millrace ${about} COMMAND [options]\n\n${list}\n`;
  return [
    `${introduction}\n`,
    'Usage: millrace [COMMAND] [options]; without a command the server starts.\n',
    list,
    ...(server ? ['\nOptions of the server:\n', optionsOf(server)] : []),
    '\nmillrace COMMAND --help tells more about a command.\n',
  ].join('\n');
}

function helpOfCommand(command: Command): string {
  return [
    `${command.summary}\n`,
    `Usage: millrace ${command.name}${command.usage === '' ? '' : ` ${command.usage}`} [options]\n`,
    optionsOf(command),
    ...(command.details === undefined ? [] : [`\n${command.details.trim()}`]),
    '',
  ].join('\n');
}

function optionsOf({ options }: Command): string {
  const rows = Object.entries(options).map(([name, option]): [string, string] => [
    titleOf(name, option),
    option.choices ? `${option.help} (${option.choices.join(', ')})` : option.help,
  ]);
  return listOf([...rows, ['-h, --help', 'print this']]);
}

function titleOf(name: string, { short, value, type }: Option): string {
  const start = short === undefined ? `    --${name}` : `-${short}, --${name}`;
  return type === 'boolean' ? start : `${start} ${value ?? 'TEXT'}`;
}

function listOf(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([title]) => title.length)) + 2;
  return rows.map(([title, text]) => `  ${title.padEnd(width)}${text}`).join('\n');
}
