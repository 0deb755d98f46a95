import type { Family } from '@millrace/plugin-kit';
import { a2aClient, a2aTool } from './agent/a2a.ts';
import { aiAgent } from './agent/aiAgent.ts';
import { langfuse } from './base/observability.ts';
import { chatCompletion } from './completion/chatCompletion.ts';
import { classification } from './completion/classification.ts';
import { imageGeneration } from './completion/imageGeneration.ts';
import { jsonStructuredExtraction } from './completion/jsonStructuredExtraction.ts';
import { embeddingStores } from './embeddings/index.ts';
import { groups } from './groups.ts';
import { mcpTasks } from './mcp/mcpTasks.ts';
import { memories } from './memory/stores.ts';
import { anthropic } from './provider/anthropic.ts';
import { azureOpenAI } from './provider/azure.ts';
import { amazonBedrock } from './provider/bedrock.ts';
import { googleGemini, googleVertexAI } from './provider/google.ts';
import { ociGenAI } from './provider/oci.ts';
import { openAIProviders } from './provider/openaiProviders.ts';
import { watsonxAI } from './provider/watsonx.ts';
import { ragChatCompletion } from './rag/chatCompletion.ts';
import { ingestDocument } from './rag/ingestDocument.ts';
import { ragSearch } from './rag/search.ts';
import { retrievers } from './retriever/retrievers.ts';
import { agentTool } from './tool/agentTool.ts';
import { codeExecution } from './tool/codeExecution.ts';
import { kestraFlow } from './tool/kestraFlow.ts';
import { kestraTasks } from './tool/kestraTask.ts';
import { mcpTools } from './tool/mcpTools.ts';
import { skillTool } from './tool/skill.ts';
import { webSearchTools } from './tool/webSearchTools.ts';
import { anthropicTasks } from './vendor/anthropic.ts';
import { chatServices } from './vendor/chatServices.ts';
import { geminiTasks } from './vendor/gemini.ts';
import { openAITasks } from './vendor/openai.ts';
import { otherServices } from './vendor/others.ts';

/** Language models, agents and their tools, and the tasks of individual model services. */
export const aiFamily: Family = {
  name: 'ai',
  groups,
  types: [
    aiAgent,
    a2aClient,
    chatCompletion,
    classification,
    jsonStructuredExtraction,
    imageGeneration,
    ingestDocument,
    ragSearch,
    ragChatCompletion,
    ...mcpTasks,
    ...openAIProviders,
    azureOpenAI,
    anthropic,
    googleGemini,
    googleVertexAI,
    amazonBedrock,
    watsonxAI,
    ociGenAI,
    agentTool,
    a2aTool,
    codeExecution,
    kestraFlow,
    ...kestraTasks,
    ...mcpTools,
    skillTool,
    ...webSearchTools,
    ...memories,
    ...embeddingStores,
    ...retrievers,
    langfuse,
    ...openAITasks,
    ...anthropicTasks,
    ...geminiTasks,
    ...chatServices,
    ...otherServices,
  ],
};
