import type { Group } from '@millrace/plugin-kit';
import { lineIcon } from '@millrace/plugin-kit';

const language = (name: string, title: string, ...paths: string[]): Group => ({
  group: `scripts.${name}`,
  title,
  description: `Run ${title} code and commands.`,
  icon: lineIcon('M4 4h16v16H4z', ...paths),
  categories: ['SCRIPT'],
});

const evaluation = (group: string, title: string, ...paths: string[]): Group => ({
  group,
  title,
  description: 'Evaluate short scripts, once or for each row of a file.',
  icon: lineIcon('M4 7a3 3 0 0 1 3-3h10a3 3 0 0 1 3 3v10a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3z', ...paths),
  categories: ['SCRIPT'],
});

export const scriptGroups: readonly Group[] = [
  {
    group: 'scripts',
    title: 'Scripts',
    description: 'Run code and commands in many languages.',
    icon: lineIcon('M4 4h16v16H4z', 'M8 9l3 3-3 3', 'M13 15h4'),
    categories: ['SCRIPT'],
  },
  {
    group: 'scripts.runner.docker',
    title: 'Docker',
    description: 'Run scripts in containers.',
    icon: lineIcon('M3 12h18c0 5-3 7-8 7-6 0-9-2-10-7', 'M6 9h3v3H6z', 'M9 9h3v3H9z', 'M12 9h3v3h-3z'),
    categories: ['SCRIPT'],
  },
  language('shell', 'Shell', 'M8 9l3 3-3 3', 'M13 15h4'),
  language('python', 'Python', 'M9 8l-3 4 3 4', 'M15 8l3 4-3 4'),
  language('node', 'Node.js', 'M8 16V8l8 8V8'),
  language('bun', 'Bun', 'M7 14a5 4 0 0 1 10 0z'),
  language('deno', 'Deno', 'M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10'),
  language('dotnet', 'C#', 'M9 9h6', 'M9 15h6', 'M10.5 7v10', 'M13.5 7v10'),
  language('go', 'Go', 'M15 9a4 4 0 1 0 0 6v-3h-3'),
  language('groovy', 'Groovy', 'M12 7l2 4 4 .5-3 3 .7 4-3.700-2-3.700 2 .7-4-3-3 4-.5z'),
  language('jbang', 'JBang', 'M12 7v6', 'M12 16v.1'),
  language('julia', 'Julia', 'M14 7v8a2 2 0 0 1-4 1'),
  language('lua', 'Lua', 'M9 7v10h6'),
  language('perl', 'Perl', 'M9 17V7h4a3 3 0 0 1 0 6H9'),
  language('php', 'PHP', 'M9 17V7h4a3 3 0 0 1 0 6H9'),
  language('powershell', 'PowerShell', 'M8 8l4 4-4 4', 'M12 16h4'),
  language('r', 'R', 'M9 17V7h4a3 3 0 0 1 0 6H9', 'M12 13l3 4'),
  language('ruby', 'Ruby', 'M12 7l4 4-4 6-4-6z'),
  language('jython', 'Jython', 'M9 8l-3 4 3 4', 'M13 16l3-8'),
  language('nashorn', 'Nashorn', 'M8 16V8l8 8'),
  evaluation('graalvm', 'Evaluated scripts', 'M9 8l-3 4 3 4', 'M15 8l3 4-3 4'),
  evaluation('graalvm.js', 'JavaScript', 'M10 8v7a2 2 0 0 1-3 1', 'M17 9h-3v3h3v4h-3'),
  evaluation('graalvm.python', 'Python', 'M9 8l-3 4 3 4', 'M15 8l3 4-3 4'),
  evaluation('graalvm.ruby', 'Ruby', 'M12 7l4 4-4 6-4-6z'),
];
