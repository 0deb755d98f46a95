import { parseFlow } from '@millrace/engine';
import { createCatalogue, loadedFamily } from '@millrace/plugin-kit';
import { expect, test } from 'vitest';
import { aiFamily } from './index.ts';

const catalogue = createCatalogue([loadedFamily(aiFamily)]);
const issuesOf = (properties: string, more = '') =>
  parseFlow(
    `id: a_flow\nnamespace: company.team\ntasks:\n  - id: agent\n    type: ai.agent.AIAgent\n    prompt: x\n${properties.replace(/^/gm, '    ')}\n${more}`,
    catalogue,
  ).issues.map(({ severity, path, message }) => `${severity} ${path}: ${message}`);

const provider = 'provider: {type: ai.provider.OpenAI, modelName: m, apiKey: k}';

test.each([
  ['parts that are complete', provider],
  ['an expression instead of a part', 'provider: "{{ inputs.provider }}"'],
  [
    'expressions inside of parts',
    'provider: {type: ai.provider.OpenAI, modelName: "{{ x }}", apiKey: "{{ y }}"}',
  ],
])('a flow with %s is valid', (_, properties) => {
  expect(issuesOf(properties)).toEqual([]);
});

test.each([
  [
    'an unknown part',
    'provider: {type: ai.provider.OpenAi, modelName: m}',
    'provider.type: Invalid type: ai.provider.OpenAi; did you mean ai.provider.OpenAI?',
  ],
  [
    'a part of another place',
    'provider: {type: ai.tool.Skill, skills: []}',
    'provider.type: Invalid type: ai.tool.Skill',
  ],
  [
    'a missing property',
    'provider: {type: ai.provider.OpenAI, modelName: m}',
    'provider.apiKey: must not be null',
  ],
  [
    'an unknown property',
    'provider: {type: ai.provider.Ollama, modelName: m, endpoint: e, key: k}',
    'provider.key: Unrecognized field "key"',
  ],
  [
    'a wrong part inside of a part',
    `${provider}\ntools: [{type: ai.tool.AIAgent, description: d, provider: {type: ai.provider.Anthropic, modelName: m}}]`,
    'tools[0].provider.apiKey: must not be null',
  ],
])('a flow with %s is refused', (_, properties, words) => {
  expect(issuesOf(properties).join('\n')).toContain(`error tasks[0].${words}`);
});

test('an older name of a part is accepted with a notice', () => {
  expect(
    issuesOf('provider: {type: io.kestra.plugin.langchain4j.provider.OpenAI, modelName: m, apiKey: k}'),
  ).toEqual([
    'info tasks[0].provider.type: "io.kestra.plugin.langchain4j.provider.OpenAI" is another name for "ai.provider.OpenAI"',
  ]);
});

test('plugin defaults fill parts, also those inside of defaults of tasks', () => {
  const defaults = `pluginDefaults:
  - type: io.kestra.plugin.ai.provider.OpenAI
    values: {apiKey: k}
  - type: ai.agent.AIAgent
    values: {provider: {type: ai.provider.OpenAI, modelName: m}}
`;
  expect(issuesOf('provider: {type: ai.provider.OpenAI}', defaults)).toEqual([]);
  expect(issuesOf('systemMessage: x', defaults)).toEqual([]);
});
