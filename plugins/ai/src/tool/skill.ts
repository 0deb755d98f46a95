import {
  defineAdditional,
  listOf,
  part,
  readText,
  storageUri,
  type TaskContext,
  text,
} from '@millrace/plugin-kit';
import { z } from 'zod';
import { agentWith } from '../base/example.ts';
import { objectSchema, type Tool, toolPlace } from '../base/tool.ts';

const skillDefinition = () =>
  part({
    name: text().describe('The name of the skill.'),
    description: text().describe('What the skill is for; the model always sees it.'),
    content: text().optional().describe('The instructions, which the model reads when it needs the skill.'),
    contentUri: storageUri().optional().describe('A file with the instructions.'),
    resources: listOf(
      part({
        relativePath: text().describe('The name under which the instructions mention the file.'),
        content: text().describe('Its content.'),
      }),
    )
      .optional()
      .describe('Files that belong to the skill.'),
  });

type SkillDefinition = z.infer<ReturnType<typeof skillDefinition>>;

export const skillTool = defineAdditional({
  place: toolPlace,
  type: 'ai.tool.Skill',
  title: 'Give the model skills',
  description:
    'Instructions that the model reads only when it needs them. It sees the names and descriptions of all skills, and calls a tool to read one.',
  input: () => z.object({ skills: listOf(skillDefinition(), { min: 1 }).describe('The skills.') }),
  examples: [
    agentWith(
      'with_skill',
      'Write the release notes of version 2.',
      `- type: ai.tool.Skill
  skills:
    - name: release-notes
      description: How we write release notes.
      content: Write three sections, Added, Changed and Fixed, one line per change.`,
    ),
  ],
  create: (context, { skills }) => {
    const hasResources = skills.some(({ resources = [] }) => resources.length > 0);
    return { tools: [readSkill(context, skills), ...(hasResources ? [readResource(skills)] : [])] };
  },
});

const names = (skills: readonly SkillDefinition[]) => ({
  type: 'string' as const,
  enum: skills.map(({ name }) => name),
  description: 'The name of the skill.',
});

const readSkill = (context: TaskContext, skills: readonly SkillDefinition[]): Tool => ({
  name: 'activate_skill',
  description: `Returns the instructions of a skill. Read them before you do what the skill is for. Skills:\n${skills
    .map(({ name, description }) => `- ${name}: ${description}`)
    .join('\n')}`,
  inputSchema: objectSchema({ skill: names(skills) }),
  execute: async ({ skill }) => {
    const found = skills.find(({ name }) => name === skill);
    if (!found) return `There is no skill "${String(skill)}".`;
    const content = found.contentUri
      ? await readText(context.files, found.contentUri)
      : (found.content ?? found.description);
    const files = (found.resources ?? []).map(({ relativePath }) => `- ${relativePath}`);
    return files.length === 0 ? content : `${content}\n\nFiles of this skill:\n${files.join('\n')}`;
  },
});

const readResource = (skills: readonly SkillDefinition[]): Tool => ({
  name: 'read_skill_resource',
  description: 'Returns a file of a skill.',
  inputSchema: objectSchema({
    skill: names(skills),
    relativePath: { type: 'string', description: 'The name of the file.' },
  }),
  execute: async ({ skill, relativePath }) =>
    skills.find(({ name }) => name === skill)?.resources?.find((one) => one.relativePath === relativePath)
      ?.content ?? `The skill "${String(skill)}" has no file "${String(relativePath)}".`,
});
